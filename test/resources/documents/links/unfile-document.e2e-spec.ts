import { describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { filingCases } from './filing-cases.js';

describe('UnfileDocument', () => {
  const { fixture, make, send: remove } = filingCases('delete');

  it('returns 204 to exactly one of several concurrent requests, 404 to the others', async () => {
    const { tenant } = fixture;
    const responses = await Promise.all([1, 2, 3, 4].map(() => remove()));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toHaveLength(1);
  });

  it('returns 403 with a Read grant on the file instead of the permission, and a Write grant on another file', async () => {
    const { tenant, file, other } = fixture;
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: file.id });
    await saveAccessGrant(tenant, guest, { file: other.id }, { level: 'Write' });
    await expectRefused(tenant, remove(guest), 'permission.missing');
  });

  it('returns 404 when the document is not in the file', async () => {
    const { tenant, editor, author, other } = fixture;
    const { id } = await saveDocument(tenant, author, { fileIds: [other.id] });
    await expectRefused(tenant, remove(editor, id), 'resource.not-found');
  });

  it('returns 404 to a repeated request', async () => {
    await remove();
    await expectRefused(fixture.tenant, remove(), 'resource.not-found');
  });

  it('returns 404 for a missing link rather than 409 for a document in the bin or a Closed file', async () => {
    const { tenant, editor, author } = fixture;
    const closed = await saveFile(tenant, editor, { status: 'Closed' });
    const { id } = await saveDocument(tenant, author, { status: 'Deleted' });
    await expectRefused(tenant, remove(editor, id, closed.id), 'resource.not-found');
  });

  it('returns 409 for a document that is Processing', async () => {
    const { id } = await make({ status: 'Processing' });
    await expectRefused(fixture.tenant, remove(fixture.editor, id), 'document.processing');
  });
});
