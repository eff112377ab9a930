import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveTypeWithAllFieldTypes, saveView } from '../../../factories/saved-views.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { searchDocumentIds } from './search-document-ids.js';

describe('SearchDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Emma');
  });

  const search = (body: object, actor = editor) => actor.post('/documents/search', body);
  const ids = async (body: object, actor = editor) => {
    const response = await search(body, actor);
    expect(response.status).toBe(200);
    return (response.body as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  const where = (fieldKey: string, operator: string, value: string | null = null) => ({
    filter: { metadataConditions: [{ fieldKey, operator, value }] },
  });

  it('returns 200 with all documents without a filter, and writes no audit entry', async () => {
    const { id } = await saveDocument(tenant, editor, { tagIds: [(await saveTag(tenant)).id] });
    for (const body of [{}, { filter: null, savedViewId: null, status: null, cursor: null, limit: null }]) {
      expect((await search(body)).body).toEqual({
        items: [(await editor.get(`/documents/${id}`)).body],
        nextCursor: null,
      });
    }
    expect(await tenant.audit()).toEqual([]);
  });

  it('returns 200 for conditions on fields, combined with AND', async () => {
    const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant);
    const make = async (fields: object) =>
      (
        (await editor.post('/documents', { title: 'x', documentTypeId, fields }).expect(201)).body as {
          id: string;
        }
      ).id;
    const small = await make({ note: 'Straße', count: '2.50' });
    const large = await make({ note: 'Weg', count: '10' });
    const empty = await make({});
    expect(await ids(where('count', 'GreaterThan', '2.5'))).toEqual([large]);
    expect((await ids(where('count', 'GreaterThanOrEqual', '2.500'))).sort()).toEqual([small, large].sort());
    expect(await ids(where('count', 'EqualTo', '2.5'))).toEqual([small]);
    expect((await ids(where('count', 'NotEqualTo', '2.5'))).sort()).toEqual([large, empty].sort());
    expect(await ids(where('note', 'Contains', 'STRASSE'))).toEqual([small]);
    expect(await ids(where('note', 'IsEmpty'))).toEqual([empty]);
    expect(
      await ids({
        filter: {
          documentTypeId,
          metadataConditions: [
            { fieldKey: 'note', operator: 'IsNotEmpty' },
            { fieldKey: 'count', operator: 'LessThan', value: '3' },
          ],
        },
      }),
    ).toEqual([small]);
    expect(await ids({ ...where('note', 'IsNotEmpty'), status: 'Archived' })).toEqual([]);
  });

  it('returns 200 with each document on one page; 400 for the cursor in another search', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift((await saveDocument(tenant, editor)).id);
    const sorted = await ids({});
    expect([...sorted].sort()).toEqual([...made].sort());
    expect(await searchDocumentIds(editor, {}, 2)).toEqual(sorted);
    const { nextCursor } = (await search({ limit: 2 })).body as { nextCursor: string };
    for (const body of [
      { cursor: nextCursor, status: 'Active' },
      { cursor: `${nextCursor.slice(0, -2)}AA` },
      { cursor: 'x' },
    ]) {
      expectProblem(await search(body), 'request.invalid', ['cursor']);
    }
    expectProblem(await search({ cursor: nextCursor }, await tenant.as('viewer')), 'request.invalid', [
      'cursor',
    ]);
  });

  it('returns 200 for a saved view; empty when a field of the view does not exist', async () => {
    const { id: tagId } = await saveTag(tenant);
    const { id } = await saveDocument(tenant, editor, { tagIds: [tagId] });
    await saveDocument(tenant, editor);
    const view = await saveView(tenant, editor, { filter: { tagIds: [tagId] } });
    expect(await ids({ savedViewId: view.id })).toEqual([id]);
    const gone = await saveView(tenant, editor, {
      filter: { metadataConditions: [{ fieldKey: 'gone', operator: 'IsEmpty', value: null }] },
    });
    expect(await ids({ savedViewId: gone.id })).toEqual([]);
  });

  it('returns 200 with an empty page for unknown ids, and without documents confidential to others', async () => {
    await saveDocument(tenant, editor, { confidentialTo: [await tenant.as('editor')] });
    for (const filter of [
      {},
      { documentTypeId: randomUUID() },
      { fileId: randomUUID() },
      { tagIds: [randomUUID()] },
    ]) {
      expect(await ids({ filter })).toEqual([]);
    }
  });

  it('returns 400 for an unknown saved view, or one of another user', async () => {
    const theirs = await saveView(tenant, await tenant.as('editor'));
    for (const id of [randomUUID(), theirs.id]) {
      expectProblem(await search({ savedViewId: id }), 'request.invalid', ['savedViewId']);
    }
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ status: 'deleted' }, 'status'],
    [{ savedViewId: 'x' }, 'savedViewId'],
    [{ cursor: 7 }, 'cursor'],
    [{ filter: [] }, 'filter'],
    [{ filter: { fileId: 'x' } }, 'filter.fileId'],
    [where('unknown', 'IsEmpty'), 'filter.metadataConditions[0].fieldKey'],
  ])('returns 400 for %j', async (body, path) => {
    expectProblem(await search(body), 'request.invalid', [path]);
  });

  it('returns 400 for an operator that the field type does not have, or an invalid value', async () => {
    const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant);
    const of = (fieldKey: string, operator: string, value: string | null) =>
      search({ filter: { documentTypeId, metadataConditions: [{ fieldKey, operator, value }] } });
    for (const [key, operator, value, part] of [
      ['count', 'Contains', '1', 'operator'],
      ['count', 'EqualTo', 'ten', 'value'],
      ['note', 'IsEmpty', 'x', 'value'],
    ] as const)
      expectProblem(await of(key, operator, value), 'request.invalid', [
        `filter.metadataConditions[0].${part}`,
      ]);
  });
});
