import { createHash } from 'node:crypto';
import type pg from 'pg';
import {
  CATEGORIES,
  type FieldKey,
  TAGS,
  documentTypeId,
  fieldId,
  fileTypeId,
  seedUserId,
  tagId,
  tenantId,
} from './tenants.js';
import { THREE_WORDS } from './words.js';

/** Numbers of the first and the last row, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** SQL of the creation time of row `i`: 10 s between rows, always in the past. */
const CREATED_AT = `(timestamptz '2020-01-01 00:00:00+00' + i * interval '10 seconds' + i * 7919 % 1000 * interval '1 ms')`;

/** SQL of the id of row `i`: a UUIDv7 of its time, like the ids of the service. */
function idSql(kind: string, slug: string, i = 'i'): string {
  const milliseconds = `extract(epoch FROM timestamptz '2020-01-01 00:00:00+00')::bigint * 1000 + ${i}::bigint * 10000`;
  const random = `md5('${kind} ${slug} ' || ${i})`;
  return `(lpad(to_hex(${milliseconds}), 12, '0') || '7' || substr(${random}, 1, 3) || '8' || substr(${random}, 4, 15))::uuid`;
}

/** The same as {@link idSql}. */
export function rowId(kind: string, slug: string, i: number): string {
  const milliseconds = (FIRST_ROW + i * 10_000).toString(16).padStart(12, '0');
  const random = createHash('md5').update(`${kind} ${slug} ${i}`).digest('hex');
  const hex = `${milliseconds}7${random.slice(0, 3)}8${random.slice(3, 18)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const FIRST_ROW = Date.UTC(2020, 0, 1);

/** The creation time of row `i`, as in {@link CREATED_AT}. */
export function createdAt(i: number): string {
  return new Date(FIRST_ROW + i * 10_000 + ((i * 7919) % 1000)).toISOString();
}

export const fileNumber = (i: number) => `AZ-${2020 + (i % 7)}/${String(i).padStart(8, '0')}`;

const SERIAL = `lpad(i::text, 8, '0')`;
const FILE_NUMBER = `'AZ-' || (2020 + i % 7) || '/' || ${SERIAL}`;

export async function seedFiles(client: pg.Client, slug: string, { from, to }: Range): Promise<void> {
  await client.query(
    `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, status, search_text, search_starts,
                        created_by, created_at, updated_at, closed_at)
     SELECT $1, ${idSql('file', slug)}, CASE WHEN i % 3 = 0 THEN $2::uuid ELSE $3::uuid END,
            ${FILE_NUMBER}, lower(${FILE_NUMBER}), w1.word || ' ' || w2.word || ' ' || w3.word,
            CASE WHEN i % 5 = 0 THEN 'Closed' ELSE 'Open' END,
            lower(${FILE_NUMBER}) || E'\\n' || w1.folded || ' ' || w2.folded || ' ' || w3.folded,
            ARRAY(SELECT DISTINCT s FROM unnest(ARRAY['a', 'az'] || w1.starts || w2.starts || w3.starts
                                                || ARRAY(SELECT substr(${SERIAL}, n, 6) FROM generate_series(1, 3) n)) s),
            $4, ${CREATED_AT}, ${CREATED_AT}, CASE WHEN i % 5 = 0 THEN ${CREATED_AT} END
       FROM generate_series($5::bigint, $6::bigint) i ${THREE_WORDS}`,
    [tenantId(slug), fileTypeId(slug, 1), fileTypeId(slug, 0), seedUserId('admin'), from, to],
  );
}

/** Number of files with many documents: more than one page. */
export const LARGE_FILES = 20;
const DOCUMENTS_PER_LARGE_FILE = 60;

/**
 * Inserts documents with values of all field types (each value is sometimes missing), one or two tags and one file. The
 * first documents belong to the large files, the others are distributed over all files.
 *
 * @param files number of files of the tenant
 * @param confidential whether only `listed` and its creator (`other`) see them
 */
export async function seedDocuments(
  client: pg.Client,
  slug: string,
  { from, to }: Range,
  files: number,
  confidential = false,
): Promise<void> {
  const tenant = tenantId(slug);
  const creator = seedUserId(confidential ? 'other' : 'clerk-1');
  await client.query(
    `CREATE TEMP TABLE bench_documents AS
     SELECT i, ${idSql('document', slug)} AS id, ${CREATED_AT} AS created_at, (i % 2)::int AS type,
            w1.n AS w1, w2.n AS w2, w1.word || ' ' || w2.word || ' ' || i AS title, w3.word || ' ' || i % 5000 AS subject,
            (i % 1000)::numeric + 0.5 AS quantity, date '2020-01-01' + (i % 2000)::int AS received,
            (i * 7 % 100000)::numeric / 100 AS total, CASE WHEN i % 4 = 0 THEN 'USD' ELSE 'EUR' END AS currency,
            ('{${CATEGORIES.join(',')}}'::text[])[1 + i % ${CATEGORIES.length}] AS category,
            f.number AS file_number, ${idSql('file', slug, 'f.number')} AS file_id
       FROM generate_series(${from}::bigint, ${to}::bigint) i
       CROSS JOIN LATERAL (SELECT CASE WHEN i <= ${LARGE_FILES * DOCUMENTS_PER_LARGE_FILE}
                                       THEN 1 + i % ${LARGE_FILES} ELSE 1 + i % ${files} END AS number) f
       ${THREE_WORDS}`,
  );
  const typed = (id: (index: number) => string) =>
    `CASE d.type WHEN 0 THEN '${id(0)}'::uuid ELSE '${id(1)}'::uuid END`;
  await client.query(
    `INSERT INTO documents (tenant_id, id, title, document_type_id, status, is_confidential, fields, created_by,
                            created_at, updated_at)
     SELECT $1, d.id, d.title, ${typed((index) => documentTypeId(slug, index))}, 'Active', ${confidential},
            jsonb_strip_nulls(jsonb_build_object(
              'subject', CASE WHEN ${has('subject')} THEN d.subject END,
              'quantity', CASE WHEN ${has('quantity')} THEN trim_scale(d.quantity)::text END,
              'received', CASE WHEN ${has('received')} THEN d.received::text END,
              'total', CASE WHEN ${has('total')} THEN
                jsonb_build_object('amount', round(d.total, 2)::text, 'currency', d.currency) END,
              'category', CASE WHEN ${has('category')} THEN d.category END,
              'related', CASE WHEN ${has('related')} THEN d.file_id::text END)),
            $2, d.created_at, d.created_at
       FROM bench_documents d`,
    [tenant, creator],
  );
  const values = (key: FieldKey, columns: string, expressions: string) =>
    client.query(
      `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, ${columns})
       SELECT $1, d.id, ${typed((index) => fieldId(slug, index, key))}, d.created_at, ${expressions}
         FROM bench_documents d WHERE ${has(key)}`,
      [tenant],
    );
  await values('subject', 'text_key', `replace(lower(d.subject), 'ß', 'ss')`);
  await values('quantity', 'number_value', 'd.quantity');
  await values('received', 'date_value', 'd.received');
  await values('total', 'number_value, currency', 'round(d.total, 2), d.currency');
  await values('category', 'option_key', 'd.category');
  await values('related', 'reference_id', 'd.file_id');
  await client.query(
    `INSERT INTO document_files (tenant_id, document_id, file_id, filed_at, created_at, file_type_id)
     SELECT $1, d.id, d.file_id, d.created_at, d.created_at,
            CASE WHEN d.file_number % 3 = 0 THEN $2::uuid ELSE $3::uuid END FROM bench_documents d`,
    [tenant, fileTypeId(slug, 1), fileTypeId(slug, 0)],
  );
  const tags = Array.from({ length: TAGS }, (_, index) => tagId(slug, index));
  await client.query(
    `INSERT INTO document_tags (tenant_id, document_id, tag_id, created_at)
     SELECT $1::uuid, d.id, ($2::uuid[])[1 + d.i % ${TAGS}], d.created_at FROM bench_documents d
     UNION ALL
     SELECT $1::uuid, d.id, ($2::uuid[])[1 + (d.i + 1) % ${TAGS}], d.created_at FROM bench_documents d WHERE d.i % 3 = 0`,
    [tenant, tags],
  );
  if (confidential) {
    await client.query(
      `INSERT INTO document_confidential_users (tenant_id, document_id, user_id, document_created_at)
       SELECT $1, d.id, u, d.created_at FROM bench_documents d, unnest($2::uuid[]) u`,
      [tenant, [creator, seedUserId('listed')]],
    );
  }
  await client.query(
    `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
     SELECT $1, d.id, 0, d.created_at, d.title, w1.vector || w2.vector || (d.i || ':1A')::tsvector
       FROM bench_documents d JOIN bench_words w1 ON w1.n = d.w1 JOIN bench_words w2 ON w2.n = d.w2`,
    [tenant],
  );
  await client.query('DROP TABLE bench_documents');
}

/** SQL condition: the document has a value of the field. Every 50th document has none, a different one for each field. */
function has(key: FieldKey): string {
  return `(d.i + ${key.length * 3}) % 50 <> 0`;
}

/** Inserts `count` read grants of the guest, distributed over the files of the tenant. */
export async function seedGrants(
  client: pg.Client,
  slug: string,
  count: number,
  files: number,
): Promise<void> {
  await client.query(
    `INSERT INTO access_grants (tenant_id, id, subject_type, subject_id, target_type, target_id,
                                target_created_at, level, created_by)
     SELECT $1, ${idSql('grant', slug, 'n')}, 'User', $2, 'File', ${idSql('file', slug)}, ${CREATED_AT}, 'Read', $3
       FROM (SELECT n, 1 + n * ${Math.floor(files / count)} % ${files} AS i FROM generate_series(1, $4::bigint) n) g`,
    [tenantId(slug), seedUserId('guest'), seedUserId('admin'), count],
  );
}

export async function seedAudit(client: pg.Client, slug: string, { from, to }: Range): Promise<void> {
  const actors = (['admin', 'clerk-1', 'clerk-2', 'clerk-3'] as const).map(seedUserId);
  await client.query(
    `INSERT INTO audit_entries (tenant_id, id, occurred_at, actor_id, actor_name, action, subject_type, subject_id, summary)
     SELECT $1, ${idSql('audit', slug)}, ${CREATED_AT}, ($2::uuid[])[1 + i % 4], 'Clerk ' || i % 4,
            a.action, a.subject, CASE a.subject WHEN 'File' THEN ${idSql('file', slug, '(1 + i % 10000)')}
                                                ELSE ${idSql('document', slug, '(1 + i % 10000)')} END, 'Entry ' || i
       FROM generate_series($3::bigint, $4::bigint) i
       JOIN (VALUES (0, 'FileRenamed', 'File'), (1, 'DocumentUpdated', 'Document'), (2, 'DocumentFiled', 'Document'),
                    (3, 'FileClosed', 'File')) a (n, action, subject) ON a.n = i % 4`,
    [tenantId(slug), actors, from, to],
  );
}
