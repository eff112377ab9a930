import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './register-typescript.mjs';
import { compiledCopy, removeOldCopies } from './compiled-source.mjs';

/** jest's globalSetup. JavaScript, because jest would run TypeScript here as CommonJS, which the sources are not. */
export default async function globalSetup() {
  // Once, before several workers need it. For processes that run without module hooks (service-process.ts).
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const copy = await compiledCopy(root, ['src', 'clients/typescript']);
  process.env.TEST_COMPILED_SOURCES = path.join(copy, 'src');
  await removeOldCopies();
  const { startTestServer } = await import('../test-server.ts');
  globalThis.testServer = await startTestServer();
}
