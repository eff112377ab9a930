/** Uploads a document with the client of @hey-api/openapi-ts and reads it back. Compiled and run by clients-spec.ts. */
import { client } from './client/client.gen.js';
import { createDocument, createTag, getDocumentContent, listDocuments } from './client/index.js';

const [baseUrl = '', tenant = '', token = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: token, throwOnError: true });
const path = { tenant };
const content = new File(['uploaded by hey-api'], 'Plan.txt', { type: 'text/plain' });

const tagIds: string[] = [];
for (const name of ['one', 'two']) {
  const { data: tag } = await createTag({ path, body: { name }, throwOnError: true });
  tagIds.push(tag.id);
}
const { data: created } = await createDocument({
  path,
  body: { document: { title: 'Plan', tagIds }, content },
  throwOnError: true,
});
const { data: listed } = await listDocuments({
  path,
  query: { tagIds, status: created.status, limit: 1 },
  throwOnError: true,
});
const { data: text } = await getDocumentContent({
  path: { tenant, documentId: created.id },
  query: { disposition: 'attachment' },
  parseAs: 'text',
  throwOnError: true,
});
if (String(text) !== (await content.text())) throw new Error(`The content is ${String(text)}`);
console.log(JSON.stringify({ created, listed: listed.items }));
