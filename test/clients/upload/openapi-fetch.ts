/** Uploads a document with the types of openapi-typescript and reads it back. Compiled and run by clients-spec.ts. */
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [baseUrl = '', tenant = '', token = ''] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const content = new File(['uploaded by openapi-fetch'], 'Plan.txt', { type: 'text/plain' });

const tagIds: string[] = [];
for (const name of ['one', 'two']) {
  const tag = await api.POST('/api/v1/t/{tenant}/tags', { params: { path: { tenant } }, body: { name } });
  if (tag.error) throw new Error(JSON.stringify(tag.error));
  tagIds.push(tag.data.id);
}
const created = await api.POST('/api/v1/t/{tenant}/documents', {
  params: { path: { tenant } },
  body: { document: { title: 'Plan', tagIds } },
  bodySerializer: (body) => {
    const form = new FormData();
    form.append('document', JSON.stringify('document' in body ? body.document : body));
    form.append('content', content);
    return form;
  },
});
if (created.error) throw new Error(JSON.stringify(created.error));
const listed = await api.GET('/api/v1/t/{tenant}/documents', {
  params: { path: { tenant }, query: { tagIds, status: created.data.status, limit: 1 } },
  querySerializer: { array: { style: 'form', explode: false } },
});
const { data: text } = await api.GET('/api/v1/t/{tenant}/documents/{documentId}/content', {
  params: { path: { tenant, documentId: created.data.id }, query: { disposition: 'attachment' } },
  parseAs: 'text',
});
if (text !== (await content.text())) throw new Error(`The content is ${text}`);
console.log(JSON.stringify({ created: created.data, listed: listed.data?.items }));
