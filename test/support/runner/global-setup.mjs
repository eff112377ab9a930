import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './register-typescript.mjs';
import { compiledCopy, removeOldCopies } from './compiled-source.mjs';

/** globalSetup of jest. A JavaScript file, because jest would run a TypeScript file here as CommonJS. */
export default async function globalSetup() {
  // Compiles once for all workers. For processes that run without module hooks (service-process.ts).
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const copy = await compiledCopy(root, ['src', 'clients/typescript']);
  process.env.TEST_COMPILED_SOURCES = path.join(copy, 'src');
  await removeOldCopies();
  const { startTestServer } = await import('../test-server.ts');
  globalThis.testServer = await startTestServer();
}
