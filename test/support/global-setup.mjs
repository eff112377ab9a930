import './register-typescript.mjs';

/** jest's globalSetup. JavaScript, because jest would run TypeScript here as CommonJS, which the sources are not. */
export default async function globalSetup() {
  const { startTestServer } = await import('./test-server.ts');
  globalThis.testServer = await startTestServer();
}
