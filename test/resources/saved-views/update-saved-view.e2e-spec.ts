import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../../factories/document-types.js';
import { saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import {
  type FilterBody,
  NO_FILTER,
  type SavedViewBody,
  saveTypeWithAllFieldTypes,
  saveView,
} from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { filterRuleCases } from './filter-rule-cases.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

describe('UpdateSavedView', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  let view: SavedViewBody;
  let viewETag: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer', 'Vera');
    const { id } = await saveView(tenant, viewer, { name: 'Meine' });
    const response = await viewer.get(`/saved-views/${id}`);
    view = response.body as SavedViewBody;
    viewETag = response.headers.etag ?? '';
  });

  const put = (body: object) => viewer.put(`/saved-views/${view.id}`, body);

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Andere', filter: null }),
    send: (body) => put(body),
    success: 200,
  });
  conditionalWrites({
    actor: () => viewer,
    path: () => `/saved-views/${view.id}`,
    send: (actor, path) => actor.put(path, { name: 'Andere' }),
    success: 200,
  });
  filterRuleCases({ tenant: () => tenant, send: (filter) => put({ name: 'Meine', filter }), success: 200 });

  it('returns 200 with the new name and filter, and writes an audit entry', async () => {
    const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant);
    const filter = {
      documentTypeId,
      metadataConditions: [{ fieldKey: 'note', operator: 'IsEmpty' }],
    };
    const response = await put({ name: 'Andere', filter, id: randomUUID(), createdAt: 'x' });
    const updated = response.body as SavedViewBody;
    expect([response.status, updated]).toEqual([
      200,
      {
        ...view,
        name: 'Andere',
        filter: {
          ...NO_FILTER,
          documentTypeId,
          metadataConditions: [{ ...filter.metadataConditions[0], value: null }],
        },
        updatedAt: updated.updatedAt,
      },
    ]);
    expect(updated.updatedAt > view.updatedAt).toBe(true);
    expect(response.headers.etag).not.toBe(viewETag);
    expect(await tenant.audit()).toEqual([
      viewer.entry('SavedViewUpdated', 'SavedView', view.id, 'Meine → Andere'),
    ]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 200 and writes an audit entry with the name when only the filter changes', async () => {
    const { id } = await saveTag(tenant);
    expect((await put({ name: 'Meine', filter: { tagIds: [id] } })).status).toBe(200);
    expect((await tenant.audit()).map(({ summary }) => summary)).toEqual(['Meine']);
  });

  it('returns 200 and updates the view when only the case of its name changes', async () => {
    expect(((await put({ name: 'MEINE' })).body as SavedViewBody).name).toBe('MEINE');
    expect(await tenant.audit()).toHaveLength(1);
  });

  describe('with a stored filter', () => {
    let stored: FilterBody;
    beforeEach(async () => {
      const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant);
      const { id: fileId } = await saveFile(tenant, viewer);
      stored = {
        documentTypeId,
        fileId,
        tagIds: [(await saveTag(tenant)).id, (await saveTag(tenant)).id],
        metadataConditions: [
          { fieldKey: 'money', operator: 'LessThan', value: '10' },
          { fieldKey: 'note', operator: 'IsEmpty', value: null },
        ],
      };
      view = (await put({ name: 'Meine', filter: stored })).body as SavedViewBody;
    });

    it.each([
      ['null', null],
      ['absent', undefined],
    ])('returns 200 and keeps the filter when it is %s', async (_, filter) => {
      const response = await put({ name: 'Andere', filter });
      expect([response.status, (response.body as SavedViewBody).filter]).toEqual([200, stored]);
    });

    it('returns 200 and clears absent members of the new filter', async () => {
      const one = await put({ name: 'Meine', filter: { fileId: stored.fileId } });
      expect((one.body as SavedViewBody).filter).toEqual({ ...NO_FILTER, fileId: stored.fileId });
      const two = await put({ name: 'Meine', filter: {} });
      expect((two.body as SavedViewBody).filter).toEqual(NO_FILTER);
    });

    it.each([
      ['null', () => null],
      ['the same', () => stored],
      [
        'the same in another notation',
        () => ({ ...stored, fileId: stored.fileId?.toUpperCase(), unknown: 1 }),
      ],
    ])('returns 200 and writes nothing for the same name and a filter that is %s', async (_, filter) => {
      const before = await tenant.fingerprint();
      const response = await put({ name: ' Meine ', filter: filter() });
      expect([response.status, response.body]).toEqual([200, view]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    describe('whose tags, files and fields have been deleted', () => {
      beforeEach(async () => {
        await service.query('DELETE FROM tags WHERE tenant_id = $1', [tenant.id]);
        await service.query('DELETE FROM files WHERE tenant_id = $1', [tenant.id]);
        await service.query('UPDATE document_type_fields SET is_removed = true WHERE tenant_id = $1', [
          tenant.id,
        ]);
      });

      it('returns 200 for the stored filter or parts of it', async () => {
        expect((await put({ name: 'Andere', filter: stored })).status).toBe(200);
        const parts = {
          ...stored,
          tagIds: stored.tagIds.slice(1),
          metadataConditions: stored.metadataConditions.slice(1),
        };
        const response = await put({ name: 'Andere', filter: parts });
        expect([response.status, (response.body as SavedViewBody).filter]).toEqual([200, parts]);
      });

      it('returns 400 for new ids and conditions that do not exist', async () => {
        const filter = {
          ...stored,
          fileId: randomUUID(),
          tagIds: [...stored.tagIds, randomUUID()],
          metadataConditions: [
            ...stored.metadataConditions,
            { fieldKey: 'note', operator: 'IsNotEmpty' },
            { fieldKey: 'money', operator: 'LessThan', value: '11' },
          ],
        };
        await expectRefused(tenant, put({ name: 'Meine', filter }), 'request.invalid', [
          'filter.fileId',
          'filter.metadataConditions[2].fieldKey',
          'filter.metadataConditions[3].fieldKey',
          'filter.tagIds[2]',
        ]);
      });

      it('returns 400 for the stored conditions with another document type without the fields', async () => {
        const { id: documentTypeId } = await saveDocumentType(tenant, { fields: [buildField('note')] });
        expectProblem(
          await put({ name: 'Meine', filter: { ...stored, documentTypeId } }),
          'request.invalid',
          ['filter.metadataConditions[0].fieldKey'],
        );
      });
    });

    it('returns 200 for the stored file when the caller cannot see it any more, 400 for another', async () => {
      const guest = await tenant.with('savedViews.manage');
      const { id } = await saveView(tenant, guest, { name: 'Meine', filter: stored });
      const response = await guest.put(`/saved-views/${id}`, { name: 'Andere', filter: stored });
      expect([response.status, (response.body as SavedViewBody).filter]).toEqual([200, stored]);
      const { id: other } = await saveFile(tenant, viewer);
      const body = { name: 'Andere', filter: { ...stored, fileId: other } };
      expectProblem(await guest.put(`/saved-views/${id}`, body), 'request.invalid', ['filter.fileId']);
    });
  });

  it('returns 400 for ids that do not exist in this tenant', async () => {
    const elsewhere = await service.tenant();
    const filter = {
      documentTypeId: (await saveDocumentType(elsewhere)).id,
      tagIds: [(await saveTag(elsewhere)).id],
    };
    const paths = ['filter.documentTypeId', 'filter.tagIds[0]'];
    await expectRefused(tenant, put({ name: 'Meine', filter }), 'request.invalid', paths);
  });

  it('returns 404 for a view of another user, even to an administrator', async () => {
    const admin = await tenant.as('administrator');
    const request = admin.put(`/saved-views/${view.id}`, { name: 'Andere' });
    await expectRefused(tenant, request, 'resource.not-found');
  });

  it('returns 409 for a view name of the caller that differs only in case (order of checks: 400, 412, 409)', async () => {
    await saveView(tenant, viewer, { name: 'Große' });
    const before = await tenant.fingerprint();
    expectProblem(await put({ name: 'GROSSE' }), 'saved-view.name-taken');
    const stale = put({ name: 'GROSSE' }).set('If-Match', '"other"');
    expectProblem(await stale, 'request.precondition-failed');
    const invalid = put({ name: 'GROSSE', filter: { tagIds: [randomUUID()] } }).set('If-Match', '"other"');
    expectProblem(await invalid, 'request.invalid', ['filter.tagIds[0]']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it("returns 200 for the name of another user's view", async () => {
    await saveView(tenant, await tenant.as('editor'), { name: 'Andere' });
    expect((await put({ name: 'Andere' })).status).toBe(200);
  });
});
