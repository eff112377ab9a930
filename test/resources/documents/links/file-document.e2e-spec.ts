import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { duringTransaction } from '../../../support/locks.js';
import { service } from '../../../support/service/shared-service.js';
import { filingCases } from './filing-cases.js';

describe('FileDocument', () => {
  const { fixture, make, send: put, links } = filingCases('put');

  it('returns 204 and writes nothing when repeated', async () => {
    const { tenant } = fixture;
    await put();
    const before = await tenant.fingerprint();
    expect((await put()).status).toBe(204);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 204 to several concurrent requests, with one audit entry and one notification', async () => {
    const { tenant } = fixture;
    const responses = await Promise.all([1, 2, 3, 4].map(() => put()));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await tenant.audit()).toHaveLength(1);
    expect(await tenant.notifications()).toHaveLength(1);
  });

  it('returns 204 for a document that is Processing', async () => {
    const { editor, file } = fixture;
    const { id } = await make({ status: 'Processing' });
    expect((await put(editor, id)).status).toBe(204);
    const fileIds = [file.id];
    expect((await editor.get(`/documents/${id}`)).body).toMatchObject({ status: 'Processing', fileIds });
  });

  describe('with a Write grant instead of the permission', () => {
    let guest: Actor;
    let own: { id: string };
    beforeEach(async () => {
      guest = await fixture.tenant.as('guest');
      own = await saveDocument(fixture.tenant, guest);
    });

    it('returns 404 for a document that the caller cannot see', async () => {
      const { tenant, document, file } = fixture;
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await expectRefused(tenant, put(guest, document.id), 'resource.not-found');
    });

    it.each([
      ['a Read grant', { level: 'Read' }],
      ['a revoked Write grant', { level: 'Write', revoked: true }],
      ['an expired Write grant', { level: 'Write', expiresAt: "now() - interval '1 second'" }],
    ] as const)('returns 403 with %s', async (_, overrides) => {
      const { tenant, file } = fixture;
      await saveAccessGrant(tenant, guest, { file: file.id }, overrides);
      await expectRefused(tenant, put(guest, own.id), 'permission.missing');
    });

    it('returns 403 for another file', async () => {
      const { tenant, file, other } = fixture;
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await expectRefused(tenant, put(guest, own.id, other.id), 'permission.missing');
    });
  });

  it('returns 404 for an unknown file rather than 409 for a document in the bin', async () => {
    const { id } = await make({ status: 'Deleted' });
    await expectRefused(fixture.tenant, put(fixture.editor, id, id), 'resource.not-found');
  });

  it('returns 409 for a document in the bin that is already in the file', async () => {
    const { id } = await make({ status: 'Deleted', fileIds: [fixture.file.id] });
    await expectRefused(fixture.tenant, put(fixture.editor, id), 'document.deleted');
  });

  it.each([
    [
      409,
      'deletes',
      'document',
      'document.deleted',
      `UPDATE documents SET status = 'Deleted', status_before_deletion = 'Active', deleted_at = now()`,
    ],
    [404, 'hides', 'document', 'resource.not-found', 'UPDATE documents SET is_confidential = true'],
    [404, 'deletes', 'file', 'resource.not-found', 'DELETE FROM files'],
  ] as const)(
    'returns %i after waiting for a transaction that %s the %s',
    async (_, __, of, code, change) => {
      const values = [fixture.tenant.id, fixture[of].id];
      const statement = `${change} WHERE tenant_id = $1 AND id = $2`;
      expectProblem(await duringTransaction(service, statement, values, () => put()), code);
      expect(await links()).toEqual([]);
    },
  );

  it('makes a concurrent CloseFile wait', async () => {
    const { tenant, editor, file } = fixture;
    const response = await duringTransaction(
      service,
      'SELECT FROM files WHERE tenant_id = $1 AND id = $2 FOR SHARE',
      [tenant.id, file.id],
      () => editor.post(`/files/${file.id}/close`),
    );
    expect(response.status).toBe(200);
  });

  it('runs without deadlocks beside CloseFile, UnfileDocument and UpdateDocument', async () => {
    const { tenant, editor, file, other, document } = fixture;
    const files = [file, other, await saveFile(tenant, editor)];
    const documents = [document, await make(), await make()];
    const administrator = await tenant.as('administrator');
    const pairs = documents.flatMap(({ id }) => files.map((target) => [id, target.id] as const));

    const work = [
      ...pairs.map(([id, target]) => put(editor, id, target)),
      ...pairs.map(([id, target]) => editor.delete(`/documents/${id}/files/${target}`)),
      ...files.map(({ id }) => administrator.post(`/files/${id}/close`)),
      ...files.map(({ id }) => administrator.post(`/files/${id}/reopen`)),
      ...documents.map(({ id }) => editor.put(`/documents/${id}`, { title: `Neu ${id}` })),
      ...documents.map(() =>
        editor.post('/documents', { title: 'Neu', fileIds: files.map(({ id }) => id).toReversed() }),
      ),
    ];
    const responses = await Promise.all(work);

    expect(responses.filter(({ status }) => ![200, 201, 204, 404, 409].includes(status))).toEqual([]);
    // Every link has an audit entry: filed minus unfiled is the number of links.
    const audit = await tenant.audit();
    const count = (action: string) => audit.filter((entry) => entry.action === action).length;
    expect(count('DocumentFiled') - count('DocumentUnfiled')).toBe((await links()).length);
  });
});
