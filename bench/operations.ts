import { type LoadRequest } from './load.js';
import { LARGE_FILES, fileNumber, rowId } from './seed/rows.js';
import { SEED, SEED_SLUGS } from './seed/seed.js';
import { CATEGORIES, fileTypeId } from './seed/tenants.js';

export interface Operation {
  readonly name: string;
  readonly status: number;
  /** Minimum of the ratio of its requests per second to those of the bare server. */
  readonly minRatio: number;
  /** Maximum of the ratio of its p99 to that of the bare server. */
  readonly maxP99Ratio: number;
  /** What `next` cycles through. All servers must return the same bytes for these requests. */
  readonly reads: readonly LoadRequest[];
  readonly next: () => LoadRequest;
  readonly synchronousCommit?: 'off';
}

/** The tenant whose documents are listed and searched. */
export const DOCUMENTS_SLUG = SEED_SLUGS[0] ?? '';

const FILES_READ = 2000;

const get = (slug: string, path: string): LoadRequest => ({
  method: 'GET',
  path: `/api/v1/t/${slug}${path}`,
});

/** A list of files for each tenant. */
export const LIST_FILES = SEED_SLUGS.map((slug) => get(slug, '/files?limit=50'));

/** Files of all tenants, alternating between the tenants. */
const GET_FILE = Array.from({ length: FILES_READ }, (_, n) => {
  const slug = SEED_SLUGS[n % SEED_SLUGS.length] ?? '';
  const row = 1 + ((Math.floor(n / SEED_SLUGS.length) * 97) % SEED.filesPerTenant);
  return get(slug, `/files/${rowId('file', slug, row)}`);
});

const LIST_FILE_DOCUMENTS = Array.from({ length: LARGE_FILES }, (_, n) =>
  get(DOCUMENTS_SLUG, `/files/${rowId('file', DOCUMENTS_SLUG, n + 1)}/documents?limit=50`),
);

/** Searches with one condition each; every search finds more than one page. */
const SEARCH_DOCUMENTS = [
  ...CATEGORIES.map((value) => ({ fieldKey: 'category', operator: 'EqualTo', value })),
  { fieldKey: 'quantity', operator: 'GreaterThan', value: '990' },
  { fieldKey: 'received', operator: 'LessThan', value: '2020-03-01' },
  { fieldKey: 'total', operator: 'GreaterThanOrEqual', value: '650.00 EUR' },
  { fieldKey: 'subject', operator: 'Contains', value: 'wache 1' },
].map((condition): LoadRequest => {
  const filter = { documentTypeId: null, fileId: null, tagIds: [], metadataConditions: [condition] };
  return {
    method: 'POST',
    path: `/api/v1/t/${DOCUMENTS_SLUG}/documents/search`,
    body: JSON.stringify({ filter, limit: 50 }),
  };
});

let created = 0;

/**
 * The number contains process id and time, so that runs do not conflict: with letters, because each sequence of six digits
 * has an entry in an index, and real numbers have few.
 */
export function newFile(path: string, typeId: string): LoadRequest {
  created += 1;
  const body = {
    fileTypeId: typeId,
    number: `NEW-${[process.pid, Date.now()].map((n) => n.toString(36)).join('-')}-${fileNumber(created)}`,
    name: 'Neubau Feuerwache Nord, zweiter Bauabschnitt',
  };
  return { method: 'POST', path, body: JSON.stringify(body) };
}

function nextFile(): LoadRequest {
  const slug = SEED_SLUGS[created % SEED_SLUGS.length] ?? '';
  return newFile(`/api/v1/t/${slug}/files`, fileTypeId(slug, 0));
}

function read(name: string, minRatio: number, maxP99Ratio: number, reads: readonly LoadRequest[]): Operation {
  let index = -1;
  const next = () => {
    index = (index + 1) % reads.length;
    return reads[index] as LoadRequest;
  };
  return { name, status: 200, minRatio, maxP99Ratio, reads, next };
}

const CREATE_FILE: Operation = {
  name: 'CreateFile',
  status: 201,
  minRatio: 0.5,
  maxP99Ratio: 2,
  reads: [],
  next: nextFile,
};

export const OPERATIONS: readonly Operation[] = [
  read('ListFiles', 1, 2, LIST_FILES),
  read('GetFile', 0.42, 2.5, GET_FILE),
  read('ListFileDocuments', 0.9, 2, LIST_FILE_DOCUMENTS),
  read('SearchDocuments', 0.9, 2, SEARCH_DOCUMENTS),
  // Last, because they add rows to what the others read.
  CREATE_FILE,
  {
    ...CREATE_FILE,
    name: 'CreateFile (synchronous_commit off)',
    minRatio: 0.45,
    synchronousCommit: 'off',
  },
];
