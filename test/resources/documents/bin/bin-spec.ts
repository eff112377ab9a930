import { beforeEach, describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../../../src/platform/http/pipeline/route-table.js';
import { buildField, saveDocumentType } from '../../../factories/document-types.js';
import { createDocument } from '../../../factories/document-values.js';
import { saveTag, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { asBytes } from '../../../support/stored-content.js';
import { type TestTenant } from '../../../support/tenant.js';

const PREFIX = '/api/v1/t/:tenant';

/** Request bodies by operation, for operations that need one. */
const BODIES: Record<string, object> = {
  UpdateDocument: { title: 'Anders' },
  ChangeConfidentiality: { isConfidential: false },
};

describe('A document in the bin', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let other: Actor;
  let id: string;
  let ids: Record<string, string>;
  /** Creates a document with every kind of data that a document can have. */
  beforeEach(async () => {
    tenant = await service.tenant();
    [admin, other] = [await tenant.as('administrator'), await tenant.as('editor')];
    const type = await saveDocumentType(tenant, { fields: [buildField('note')] });
    const [file, tag] = [await saveFile(tenant, admin), await saveTag(tenant)];
    const links = { fileIds: [file.id], tagIds: [tag.id] };
    const fields = { note: 'Feuerwache' };
    id = (await createDocument(admin, type.id, fields, { title: 'Bauplan', ...links, isConfidential: true }))
      .id;
    await admin.put(`/documents/${id}/confidential-access/${other.userId}`).expect(204);
    await saveVersion(tenant, admin, id, { bytes: 'first' });
    await saveVersion(tenant, admin, id, { bytes: 'second' });
    ids = { documentId: id, fileId: file.id, tagId: tag.id, userId: other.userId, number: '1' };
  });

  const read = async (path: string) => (await admin.get(path)).body as Record<string, unknown>;

  it('rejects every change except RestoreDocument', async () => {
    await admin.delete(`/documents/${id}`).expect(204);
    const { id: otherFileId } = await saveFile(tenant, admin);
    const before = await tenant.fingerprint();
    // A hold is not a change of the document.
    const routes = service.app
      .get(RouteTable)
      .routes.filter(
        ({ path, method, endpoint }) =>
          path.includes(':documentId') &&
          !path.startsWith(`${PREFIX}/holds/`) &&
          method !== 'GET' &&
          !endpoint?.readOnly,
      );
    const answered: string[] = [];
    for (const { path, method, endpoint } of routes) {
      const { operation = '', body, contentBody } = endpoint ?? {};
      if (operation === 'RestoreDocument') continue;
      const filled = path.slice(PREFIX.length).replace(/:(\w+)/g, (_, name: string) => ids[name] ?? name);
      const test = admin.send(method.toLowerCase() as 'put' | 'post' | 'delete', filled);
      const bodies: Record<string, object> = {
        ...BODIES,
        MoveDocument: { fromFileId: ids.fileId, toFileId: otherFileId },
      };
      if (body && !bodies[operation]) throw new Error(`BODIES has no entry for ${operation}.`);
      const response = await (contentBody
        ? test.set('Content-Type', 'text/plain').send('third')
        : test.send(bodies[operation]));
      expectProblem(response, 'document.deleted');
      answered.push(operation);
    }
    expect(answered).toContain('ReplaceDocumentContent');
    expect(answered.length).toBeGreaterThanOrEqual(12);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each([
    ['an open file', false],
    ['a file that was closed in between', true],
  ])('is unchanged after RestoreDocument into %s', async (_, isClosed) => {
    const paths = [`/documents/${id}`, `/documents/${id}/versions`, `/documents/${id}/confidential-access`];
    const before = await Promise.all(paths.map(read));
    await admin.delete(`/documents/${id}`).expect(204);
    if (isClosed) await admin.post(`/files/${ids.fileId}/close`).expect(200);

    const restored = await admin.post(`/documents/${id}/restore`);

    expect(restored.status).toBe(200);
    const [document, ...others] = await Promise.all(paths.map(read));
    expect(document).toEqual({ ...before[0], updatedAt: document?.updatedAt });
    expect(document).toMatchObject({
      status: 'Active',
      fields: { note: 'Feuerwache' },
      tagIds: [ids.tagId],
      fileIds: [ids.fileId],
      isConfidential: true,
    });
    expect(others).toEqual(before.slice(1));
    const content = await asBytes(admin.get(`/documents/${id}/content`));
    expect((content.body as Buffer).toString()).toBe('second');
    expect((await other.get(`/documents/${id}`)).status).toBe(200);
  });

  it('is Archived again after RestoreDocument when it was Archived before', async () => {
    await admin.post(`/documents/${id}/archive`).expect(200);
    await admin.delete(`/documents/${id}`).expect(204);
    expect((await admin.post(`/documents/${id}/restore`)).body).toMatchObject({ status: 'Archived' });
    expect((await admin.post(`/documents/${id}/unarchive`)).body).toMatchObject({ status: 'Active' });
  });

  it('is found only with the status Deleted, and by every search once it is restored', async () => {
    const filter = {
      documentTypeId: null,
      fileId: null,
      tagIds: [],
      metadataConditions: [{ fieldKey: 'note', operator: 'EqualTo', value: 'feuerwache' }],
    };
    const countFound = async (status?: string) => {
      const query = status ? `&status=${status}` : '';
      const answers = [
        await admin.get(`/documents?limit=1${query}`),
        await admin.get(`/documents?tagIds=${ids.tagId}${query}`),
        await admin.get(`/documents?fileId=${ids.fileId}${query}`),
        await admin.get(`/documents?q=Bauplan${query}`),
        await admin.post('/documents/search', { filter, status }),
      ];
      return answers.map(({ body }) => (body as { items: { id: string }[] }).items.length);
    };
    expect([await countFound(), await countFound('Deleted')]).toEqual([
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
    ]);
    await admin.delete(`/documents/${id}`).expect(204);
    expect([await countFound(), await countFound('Deleted')]).toEqual([
      [0, 0, 0, 0, 0],
      [1, 1, 1, 1, 1],
    ]);
    // The list of its file still contains it, for every user who can see the document.
    expect(await read(`/files/${ids.fileId}/documents`)).toMatchObject({ items: [{ status: 'Deleted' }] });
    await admin.post(`/documents/${id}/restore`).expect(200);
    expect([await countFound(), await countFound('Deleted')]).toEqual([
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
    ]);
  });
});
