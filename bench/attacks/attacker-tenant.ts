import { setTimeout as sleep } from 'node:timers/promises';
import { buildSlowPdf } from '../../test/factories/content/pdf-files.js';
import { buildZip } from '../../test/factories/content/zip-file.js';
import { type ApiClient } from '../api-client.js';
import { withClient } from '../database.js';

const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = ['office', 'text'].map((name) => `xmlns:${name}="${OFFICE}:${name}:1.0"`).join(' ');
const ODT = 'application/vnd.oasis.opendocument.text';
const MANIFEST = `<manifest:manifest xmlns:manifest="${OFFICE}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${ODT}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`;
const PARAGRAPHS = 400_000;
const LONG_TEXT = `${'Der Text der Seite.\n'.repeat(100)}\f`.repeat(1000);

/** What the attacks use in the tenant of the attacker. */
export interface AttackerTenant {
  readonly tagIds: readonly string[];
  readonly documentIds: readonly string[];
  readonly roleId: string;
  readonly slowPdf: Blob;
  /** Ids of documents with a content. */
  readonly pdf: string;
  readonly officeFile: string;
  readonly text: string;
  readonly textEtag: string;
}

/** An odt of 36 KB that LibreOffice does not convert in 30 s, in 825 MiB. */
function buildSlowText(): Buffer {
  const body = '<text:p>a</text:p>'.repeat(PARAGRAPHS);
  const content = `<office:document-content ${NAMESPACES} office:version="1.3"><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
  return buildZip([
    { name: 'mimetype', content: ODT, stored: true },
    { name: 'META-INF/manifest.xml', content: MANIFEST },
    { name: 'content.xml', content },
  ]);
}

const blobOf = (bytes: Buffer, type: string) => new Blob([new Uint8Array(bytes)], { type });

async function createEach(count: number, create: (n: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await create(n));
  return ids;
}

/** Creates the data that the attacks need. */
export async function prepareTenant(client: ApiClient, ownerUrl: string): Promise<AttackerTenant> {
  const field = (key: string, type: string) => ({
    key,
    type,
    required: false,
    labelDe: 'Feld',
    labelEn: 'Field',
  });
  const createType = (key: string, fields: readonly object[]) =>
    client.create('/document-types', { key, nameDe: key, nameEn: key, fields });
  await createType(
    'large',
    Array.from({ length: 100 }, (_, n) => field(`f${n + 1}`, 'Text')),
  );
  await createType('counted', [field('quantity', 'Number')]);
  const tagIds = await createEach(20, (n) => client.create('/tags', { name: `Tag ${n}` }));
  const documentIds = await createEach(50, (n) => client.create('/documents', { title: `Document ${n}` }));
  const { tenant, user, role } = await client.get<Record<'tenant' | 'user' | 'role', { id: string }>>('/me');
  const slowPdf = blobOf(buildSlowPdf(), 'application/pdf');
  const upload = async (title: string, content: Blob): Promise<string> => {
    const id = await client.upload(title, content);
    await client.waitWhile(`/documents/${id}`, 'Processing');
    return id;
  };
  const text = await upload('text.txt', new Blob([LONG_TEXT], { type: 'text/plain' }));
  const { headers } = await client.send(`/documents/${text}/text`, { method: 'HEAD' });
  const officeFile = await upload('slow.odt', blobOf(buildSlowText(), ODT));
  const pdf = await upload('slow.pdf', slowPdf);
  await insertRows(ownerUrl, [tenant.id, user.id]);
  return {
    ...{ tagIds, documentIds, slowPdf, pdf, officeFile, text },
    roleId: role.id,
    textEtag: headers.get('etag') ?? '',
  };
}

/**
 * Inserts 200 documents with 1 MB of Cyrillic text in 100 Text fields, saved views of 2 MiB, as much as one member
 * can have, 120,000 documents with a quantity, and 100,000 events.
 */
async function insertRows(ownerUrl: string, [tenant, user]: readonly [string, string]): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const insert = (sql: string) => client.query(sql, [tenant, user]);
    await insert(
      `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, document_type_id, fields)
       SELECT $1, gen_random_uuid(), 'Large', 'Active', false, $2, t.id,
              (SELECT jsonb_object_agg('f' || i, repeat('ж', 5000)) FROM generate_series(1, 100) i)
         FROM document_types t CROSS JOIN generate_series(1, 200) WHERE t.tenant_id = $1 AND t.key = 'large'`,
    );
    await insert(
      `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
       SELECT $1, gen_random_uuid(), $2, 'view ' || n, 'view ' || n,
              jsonb_build_object('documentTypeId', NULL, 'fileId', NULL, 'tagIds', '[]'::jsonb, 'metadataConditions',
                (SELECT jsonb_agg(jsonb_build_object('fieldKey', 'f1', 'operator', 'EqualTo', 'value', repeat('ж', 1600)))
                   FROM generate_series(1, 20)))
         FROM generate_series(1, 31) n`,
    );
    await insert(
      `WITH added AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, created_at, document_type_id, fields)
         SELECT $1, gen_random_uuid(), 'Counted', 'Active', false, $2, now() - n * interval '1 second', t.id, '{"quantity":"1"}'
           FROM document_types t CROSS JOIN generate_series(1, 120000) n
          WHERE t.tenant_id = $1 AND t.key = 'counted' RETURNING *)
       INSERT INTO document_values (tenant_id, document_id, field_id, created_at, number_value)
       SELECT d.tenant_id, d.id, f.id, d.created_at, 1
         FROM added d JOIN document_type_fields f ON f.tenant_id = d.tenant_id AND f.document_type_id = d.document_type_id`,
    );
    await client.query('ANALYZE documents, document_values');
    await insert(
      `WITH entries AS (
         INSERT INTO audit_entries (tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, related)
         SELECT $1, gen_random_uuid(), $2, 'Mallory', 'TagCreated', 'Tag', gen_random_uuid(), '{}'
           FROM generate_series(1, 100000) RETURNING id)
       INSERT INTO event_queue (tenant_id, entry_id) SELECT $1, id FROM entries`,
    );
    const isQueued = async () =>
      (await client.query('SELECT FROM event_queue WHERE tenant_id = $1 LIMIT 1', [tenant])).rowCount !== 0;
    while (await isQueued()) await sleep(500);
  });
}
