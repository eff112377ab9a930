/** Writes clients/typescript/schema.ts from the OpenAPI document of the current sources. */
import { writeFile } from 'node:fs/promises';
import { clientTypes } from '../test/support/client-types.ts';
import { startTestServer } from '../test/support/test-server.ts';

const database = await startTestServer();
try {
  const { TestService } = await import('../test/support/service/service.ts');
  const service = await TestService.start();
  try {
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    await writeFile(new URL('../clients/typescript/schema.ts', import.meta.url), await clientTypes(document));
  } finally {
    await service.stop();
  }
} finally {
  await database.stop();
}
