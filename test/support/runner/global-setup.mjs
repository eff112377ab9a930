import { fileURLToPath } from 'node:url';
import './register-typescript.mjs';
import { compileFolder } from './compiled-source.mjs';

/** jest's globalSetup. JavaScript, because jest would run TypeScript here as CommonJS, which the sources are not. */
export default async function globalSetup() {
  // Once, before several workers need it.
  await compileFolder(fileURLToPath(new URL('../../../src/', import.meta.url)));
  const { startTestServer } = await import('../test-server.ts');
  globalThis.testServer = await startTestServer();
}
