import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { upload } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { setMemberRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { waitUntilProcessed } from '../../support/wait-until-processed.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

interface Listing {
  readonly items: { readonly id: string; readonly documentId: string; readonly fileIds: string[] }[];
}

const TEXT = 'Kündigung wegen Eigenbedarfs';

/** The document is in two files, and the guest sees neither of them. */
describe('The access list of a confidential document', () => {
  let tenant: TestTenant;
  let creator: Actor;
  let guest: Actor;
  let documentTypeId: string;
  let tagId: string;
  let fileIds: string[];
  let id: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    creator = await tenant.as('records_manager', 'Creator');
    guest = await tenant.as('guest');
    const made = async (path: string, body: object) =>
      ((await creator.post(path, body).expect(201)).body as { id: string }).id;
    tagId = await made('/tags', { name: 'dringend' });
    const label = { labelDe: 'Feld', labelEn: 'Field', required: false };
    documentTypeId = await made('/document-types', {
      ...{ key: 'letter', nameDe: 'Brief', nameEn: 'Letter' },
      fields: [
        { key: 'answers', type: 'Reference', referenceTarget: 'Document', ...label },
        { key: 'note', type: 'Text', ...label },
      ],
    });
    fileIds = [(await saveFile(tenant, creator)).id, (await saveFile(tenant, creator)).id].sort();
    const document = {
      title: 'Abmahnung',
      documentTypeId,
      fields: { note: 'eilt' },
      tagIds: [tagId],
      fileIds,
    };
    const created = await upload(creator, { ...document, isConfidential: true }, { bytes: TEXT }).expect(201);
    ({ id } = created.body as { id: string });
    await waitUntilProcessed(tenant, id);
  });

  const list = ({ userId }: Actor) =>
    creator.put(`/documents/${id}/confidential-access/${userId}`).expect(204);
  const unlist = ({ userId }: Actor) =>
    creator.delete(`/documents/${id}/confidential-access/${userId}`).expect(204);

  async function found(request: PromiseLike<{ body: unknown }>): Promise<string[]> {
    return ((await request).body as Listing).items.map((item) => item.id ?? item.documentId);
  }

  const searches: [string, (actor: Actor) => PromiseLike<{ body: unknown }>][] = [
    ['in the list of documents', (actor) => actor.get('/documents')],
    ['by its type', (actor) => actor.get(`/documents?documentTypeId=${documentTypeId}`)],
    ['by its tag', (actor) => actor.get(`/documents?tagIds=${tagId}`)],
    ['by words of its title', (actor) => actor.get('/documents?q=abmahnung')],
    ['by words of its text', (actor) => actor.get('/documents?q=eigenbedarf')],
    ['by words, ordered by relevance', (actor) => actor.get('/documents?q=eigenbedarf&order=relevance')],
    [
      'by a condition on a field',
      (actor) =>
        actor.post('/documents/search', {
          filter: { metadataConditions: [{ fieldKey: 'note', operator: 'Contains', value: 'eilt' }] },
        }),
    ],
  ];

  describe('makes the document visible to a guest who sees none of its files', () => {
    beforeEach(() => list(guest));

    it.each(searches)('%s', async (_, search) => {
      expect(await found(search(guest))).toEqual([id]);
    });

    it('with metadata, content and versions, but without files', async () => {
      const shown = await guest.get(`/documents/${id}`).expect(200);
      const fields = { note: 'eilt' };
      expect(shown.body).toMatchObject({ id, title: 'Abmahnung', fields, tagIds: [tagId], fileIds: [] });
      expect((await guest.get(`/documents/${id}/content`).expect(200)).text).toBe(TEXT);
      expect((await guest.get(`/documents/${id}/versions`).expect(200)).body).toMatchObject({
        items: [{ number: 1 }],
      });
      expect((await guest.get(`/documents/${id}/versions/1/content`).expect(200)).text).toBe(TEXT);
      expect((await guest.get('/documents').expect(200)).body).toMatchObject({ items: [{ fileIds: [] }] });
    });

    it('with an excerpt of its text', async () => {
      const { items } = (await guest.get('/documents?q=eigenbedarf').expect(200)).body as {
        items: { excerpt: { segments: { text: string; isMatch: boolean }[] } }[];
      };
      const matches = items[0]?.excerpt.segments.filter(({ isMatch }) => isMatch).map(({ text }) => text);
      expect(matches).toEqual(['Eigenbedarfs']);
    });

    it('through a saved view', async () => {
      const owner = await tenant.with('documents.read', 'savedViews.manage');
      await list(owner);
      const view = await owner
        .post('/saved-views', { name: 'Eilt', filter: { tagIds: [tagId] } })
        .expect(201);
      const { id: savedViewId } = view.body as { id: string };
      expect(await found(owner.get(`/documents?savedViewId=${savedViewId}`))).toEqual([id]);
    });

    it('as the target of a reference, and as a duplicate', async () => {
      const author = await tenant.with('documents.read', 'documents.create');
      await list(author);
      const answer = { title: 'Antwort', documentTypeId, fields: { answers: id } };
      const created = await upload(author, answer, { bytes: TEXT }).expect(201);
      expect(created.body).toMatchObject({ duplicateIds: [id], fields: { answers: id } });
    });

    it('with only those of its files that the guest sees', async () => {
      const [file = '', other = ''] = fileIds;
      await saveAccessGrant(tenant, guest, { file });
      expect((await guest.get(`/documents/${id}`)).body).toMatchObject({ fileIds: [file] });
      expect(await found(guest.get(`/documents?fileId=${file}`))).toEqual([id]);
      expect(await found(guest.get(`/files/${file}/documents`))).toEqual([id]);
      expect(await found(guest.get(`/documents?fileId=${other}`))).toEqual([]);
      expectProblem(await guest.get(`/files/${other}/documents`), 'resource.not-found');
    });

    it('in notifications about it', async () => {
      const { items } = (await guest.get('/notifications')).body as { items: object[] };
      expect(items).toMatchObject([{ type: 'ConfidentialAccessGranted', parameters: { documentId: id } }]);
    });
  });

  it('allows reading only', async () => {
    await list(guest);
    const file = fileIds[0] ?? '';
    const before = await tenant.fingerprint();
    const path = `/documents/${id}`;
    for (const request of [
      guest.put(path, { title: 'Mine' }),
      guest.delete(path),
      guest.post(`${path}/archive`),
      guest.put(`${path}/content`),
      guest.post(`${path}/versions/1/restore`),
      guest.put(`${path}/tags/${tagId}`),
      guest.delete(`${path}/tags/${tagId}`),
      guest.put(`${path}/files/${file}`),
      guest.delete(`${path}/files/${file}`),
      guest.put(`${path}/confidentiality`, { isConfidential: false }),
      guest.put(`${path}/confidential-access/${guest.userId}`),
      guest.delete(`${path}/confidential-access/${creator.userId}`),
      guest.post('/documents/bulk', { action: 'Archive', documentIds: [id] }),
    ]) {
      expectProblem(await request, 'permission.missing');
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('allows changes that the role permits', async () => {
    const worker = await tenant.with('documents.read', 'documents.update', 'documents.archive');
    await list(worker);
    const answer = await worker.put(`/documents/${id}`, { title: 'Kündigung', documentTypeId });
    expect({ status: answer.status, body: answer.body as object }).toMatchObject({
      status: 200,
      body: { title: 'Kündigung', fileIds: [] },
    });
    const change = { action: 'Archive', documentIds: [id] };
    expect((await worker.post('/documents/bulk', change).expect(200)).body).toMatchObject({
      results: [{ documentId: id, outcome: 'Done' }],
    });
  });

  it('no longer shows the document to a user who is removed or loses documents.read', async () => {
    const other = await tenant.as('guest');
    for (const actor of [guest, other]) {
      await list(actor);
      expect(await found(actor.get('/documents'))).toEqual([id]);
    }
    await unlist(guest);
    expectProblem(await guest.get(`/documents/${id}`), 'resource.not-found');
    for (const [, search] of searches) expect(await found(search(guest))).toEqual([]);
    await setMemberRole(tenant, other, await tenant.roleId('auditor'));
    expectProblem(await other.get(`/documents/${id}`), 'permission.missing');
  });

  it('gives no access once the document is no longer confidential', async () => {
    await list(guest);
    await creator.put(`/documents/${id}/confidentiality`, { isConfidential: false }).expect(200);
    expectProblem(await guest.get(`/documents/${id}`), 'resource.not-found');
    expect(await found(guest.get('/documents'))).toEqual([]);
  });
});
