/** Uploads a document with the client of orval and reads it back. Compiled and run by clients-spec.ts. */
import { createDocument, createTag, listDocuments } from './client/index.js';

const [, tenant = '', token = ''] = process.argv.slice(2);
const options = { headers: { Authorization: `Bearer ${token}` } };
const content = new File(['uploaded by orval'], 'Plan.txt', { type: 'text/plain' });

function failed({ status, data }: { status: number; data: unknown }): Error {
  return new Error(`${status} ${JSON.stringify(data)}`);
}

const tagIds: string[] = [];
for (const name of ['one', 'two']) {
  const tag = await createTag(tenant, { name }, options);
  if (tag.status !== 201) throw failed(tag);
  tagIds.push(tag.data.id);
}
const created = await createDocument(tenant, { document: { title: 'Plan', tagIds }, content }, options);
if (created.status !== 201) throw failed(created);
const listed = await listDocuments(tenant, { tagIds, status: created.data.status, limit: 1 }, options);
if (listed.status !== 200) throw failed(listed);
console.log(JSON.stringify({ created: created.data, listed: listed.data.items }));
