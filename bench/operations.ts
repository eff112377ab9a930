import { type LoadRequest } from './load.js';
import { LARGE_FILES, fileNumber, idSql } from './seed/rows.js';
import { SEED, SEED_SLUGS } from './seed/seed.js';
import { CATEGORIES, fileTypeId } from './seed/tenants.js';
import { withClient } from './database.js';

export type OperationName =
  | 'ListFiles'
  | 'GetFile'
  | 'CreateFile'
  | 'CreateFile (synchronous_commit off)'
  | 'ListFileDocuments'
  | 'SearchDocuments';

export interface Operation {
  readonly name: OperationName;
  readonly status: number;
  readonly next: () => LoadRequest;
  readonly synchronousCommit?: 'off';
}

/** The tenant whose documents are listed and searched. */
export const DOCUMENTS_SLUG = SEED_SLUGS[0] ?? '';

const base = (slug: string) => `/api/v1/t/${slug}`;
const FILES_READ = 2000;

function cycle<T>(values: readonly T[]): () => T {
  let index = -1;
  return () => {
    index = (index + 1) % values.length;
    return values[index] as T;
  };
}

export const listFilesRequests: readonly LoadRequest[] = SEED_SLUGS.map((slug) => ({
  method: 'GET',
  path: `${base(slug)}/files?limit=50`,
}));

/** Reads of files of all tenants, alternating between the tenants. */
export async function getFileRequests(ownerUrl: string): Promise<LoadRequest[]> {
  const each = FILES_READ / SEED_SLUGS.length;
  return withClient(ownerUrl, async (client) => {
    const requests: LoadRequest[][] = [];
    for (const slug of SEED_SLUGS) {
      const { rows } = await client.query<{ id: string }>(
        `SELECT ${idSql('file', slug, '(1 + i * 97 % $2::bigint)')} AS id FROM generate_series(1, $1::bigint) i`,
        [each, SEED.filesPerTenant],
      );
      requests.push(rows.map(({ id }) => ({ method: 'GET', path: `${base(slug)}/files/${id}` })));
    }
    return Array.from({ length: each }, (_, index) =>
      requests.flatMap((ofTenant) => ofTenant[index] ?? []),
    ).flat();
  });
}

export async function listFileDocumentsRequests(ownerUrl: string): Promise<LoadRequest[]> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT ${idSql('file', DOCUMENTS_SLUG)} AS id FROM generate_series(1, ${LARGE_FILES}) i`,
    );
    return rows.map(({ id }) => ({
      method: 'GET',
      path: `${base(DOCUMENTS_SLUG)}/files/${id}/documents?limit=50`,
    }));
  });
}

/** Searches with one condition each; every search finds more than one page. */
export const searchRequests: readonly LoadRequest[] = [
  ...CATEGORIES.map((value) => ({ fieldKey: 'category', operator: 'EqualTo', value })),
  { fieldKey: 'quantity', operator: 'GreaterThan', value: '990' },
  { fieldKey: 'received', operator: 'LessThan', value: '2020-03-01' },
  { fieldKey: 'total', operator: 'GreaterThanOrEqual', value: '650.00 EUR' },
  { fieldKey: 'subject', operator: 'Contains', value: 'wache 1' },
].map((condition) => ({
  method: 'POST',
  path: `${base(DOCUMENTS_SLUG)}/documents/search`,
  body: JSON.stringify({
    filter: { documentTypeId: null, fileId: null, tagIds: [], metadataConditions: [condition] },
    limit: 50,
  }),
}));

let created = 0;

/** Cycles through the tenants. The number contains process id and time, so that runs do not conflict. */
function nextFile(): LoadRequest {
  created += 1;
  const slug = SEED_SLUGS[created % SEED_SLUGS.length] ?? '';
  const number = `NEW-${process.pid}-${Date.now()}-${fileNumber(created)}`;
  const body = {
    fileTypeId: fileTypeId(slug, 0),
    number,
    name: 'Neubau Feuerwache Nord, zweiter Bauabschnitt',
  };
  return { method: 'POST', path: `${base(slug)}/files`, body: JSON.stringify(body) };
}

export async function operations(ownerUrl: string): Promise<Operation[]> {
  return [
    { name: 'ListFiles', status: 200, next: cycle(listFilesRequests) },
    { name: 'GetFile', status: 200, next: cycle(await getFileRequests(ownerUrl)) },
    { name: 'ListFileDocuments', status: 200, next: cycle(await listFileDocumentsRequests(ownerUrl)) },
    { name: 'SearchDocuments', status: 200, next: cycle(searchRequests) },
    // Last, because they add rows to what the others read.
    { name: 'CreateFile', status: 201, next: nextFile },
    { name: 'CreateFile (synchronous_commit off)', status: 201, next: nextFile, synchronousCommit: 'off' },
  ];
}
