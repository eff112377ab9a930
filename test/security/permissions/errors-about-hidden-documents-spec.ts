import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Some errors protect documents from loss, including documents that the caller cannot see. */
describe('An error because of hidden documents', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let creator: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    [manager, creator] = [await tenant.as('records_manager'), await tenant.as('editor')];
  });

  /** A file with one document for each access list; a document without a list is not confidential. */
  async function fileWith(
    status: 'Processing' | 'Active' | 'Deleted',
    ...lists: readonly (readonly Actor[] | undefined)[]
  ): Promise<string> {
    const { id } = await saveFile(tenant, creator);
    for (const confidentialTo of lists) {
      await saveDocument(tenant, creator, {
        fileIds: [id],
        status,
        ...(confidentialTo && { confidentialTo }),
      });
    }
    return id;
  }

  /** Status and body without the id of the request. */
  async function comparableResponse(request: PromiseLike<{ status: number; body: object }>): Promise<object> {
    const { status, body } = await request;
    return { status, ...body, instance: null };
  }

  const listed = async (id: string) =>
    ((await manager.get(`/files/${id}/documents`)).body as { items: object[] }).items.length;

  it('is the same for visible, hidden and deleted documents, and for a closed file', async () => {
    const [visible, hidden] = [await fileWith('Active', undefined), await fileWith('Active', [creator])];
    expect([await listed(visible), await listed(hidden)]).toEqual([1, 0]);
    const others = [
      hidden,
      await fileWith('Active', [creator], [creator], [creator]),
      await fileWith('Deleted', undefined),
      await fileWith('Deleted', [creator]),
    ];
    const closed = (await saveFile(tenant, creator)).id;
    await manager.post(`/files/${closed}/close`).expect(200);
    const before = await tenant.fingerprint();
    const expected = await comparableResponse(manager.delete(`/files/${visible}`));
    expect(expected).toMatchObject({ status: 409, type: '/problems/file.not-empty' });
    for (const id of [...others, closed]) {
      expect(await comparableResponse(manager.delete(`/files/${id}`))).toEqual(expected);
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('is the same for visible and hidden documents that are being processed', async () => {
    const [visible, hidden] = [
      await fileWith('Processing', undefined),
      await fileWith('Processing', [creator], [creator]),
    ];
    const expected = await comparableResponse(manager.post(`/files/${visible}/close`));
    expect(expected).toMatchObject({ status: 409, type: '/problems/file.documents-processing' });
    expect(await comparableResponse(manager.post(`/files/${hidden}/close`))).toEqual(expected);
  });

  it('is the same for options that visible and hidden documents use', async () => {
    const admin = await tenant.as('administrator');
    const option = (key: string) => ({ key, labelDe: key, labelEn: key });
    const typeWith = (...keys: string[]) => ({
      nameDe: 'Brief',
      nameEn: 'Letter',
      fields: [
        {
          ...{ key: 'kind', type: 'Enumeration', required: false, labelDe: 'Art', labelEn: 'Kind' },
          options: keys.map(option),
        },
      ],
    });
    const made = await admin.post('/document-types', { key: 'letter', ...typeWith('a', 'b', 'c') });
    expect(made.status).toBe(201);
    const { id: documentTypeId } = made.body as { id: string };
    for (const [kind, isConfidential] of [
      ['a', false],
      ['b', true],
    ] as const) {
      const document = { title: 'Letter', documentTypeId, fields: { kind }, isConfidential };
      await creator.post('/documents', document).expect(201);
    }
    const drop = (...left: string[]) =>
      comparableResponse(manager.put(`/document-types/${documentTypeId}`, typeWith(...left)));
    const [visible, hidden] = [await drop('b', 'c'), await drop('a', 'c')];
    expect(visible).toMatchObject({ status: 400 });
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(visible).replace('keep a,', 'keep b,'));
    expect(await drop('a', 'b')).toMatchObject({ status: 200 });
  });

  it('is not returned to members without the permission or without access to the file', async () => {
    const ids = [(await saveFile(tenant, creator)).id, await fileWith('Active', [creator])];
    for (const actor of [await tenant.as('viewer'), await tenant.with('files.delete')]) {
      const [empty, full] = [
        await comparableResponse(actor.delete(`/files/${ids[0]}`)),
        await comparableResponse(actor.delete(`/files/${ids[1]}`)),
      ];
      expect(full).toEqual(empty);
      expect([403, 404]).toContain((full as { status: number }).status);
    }
  });
});
