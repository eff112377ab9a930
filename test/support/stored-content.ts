import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Test } from 'supertest';
import { type TestService } from './service/service.js';
import { type TestTenant } from './tenant.js';

/** Reads the body of the answer as bytes for every media type. */
export function asBytes(test: Test): Test {
  return test.responseType('blob');
}

/** Names of the temporary files in the content store, sorted. */
export function temporaryFiles(service: TestService): Promise<string[]> {
  return namesBelow(path.join(service.dataDirectory, 'content', 'incoming'));
}

/** Hashes of the contents that the store keeps for the tenant, sorted. */
export function storedHashes({ service, id }: TestTenant): Promise<string[]> {
  return namesBelow(path.join(service.dataDirectory, 'content', 'objects', id));
}

export function storedPath({ service, id }: TestTenant, hash: string): string {
  return path.join(service.dataDirectory, 'content', 'objects', id, hash.slice(0, 2), hash);
}

async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
