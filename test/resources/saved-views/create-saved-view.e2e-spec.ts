import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocumentType } from '../../factories/document-types.js';
import { saveTag } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import {
  NO_FILTER,
  type SavedViewBody,
  saveTypeWithAllFieldTypes,
  saveView,
} from '../../factories/saved-views.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { filterRuleCases } from './filter-rule-cases.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { duringTransaction } from '../../support/locks.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('CreateSavedView', () => {
  let tenant: TestTenant;
  let viewer: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer', 'Vera');
  });

  let count = 0;
  const create = (filter?: unknown, actor = viewer) => {
    count += 1;
    return actor.post('/saved-views', { name: `View ${count}`, filter });
  };

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Rechnungen', filter: null }),
    send: (body) => viewer.post('/saved-views', body),
    success: 201,
  });
  idempotentCreation({
    actor: () => viewer,
    permission: 'savedViews.manage',
    send: (actor, n) => actor.post('/saved-views', { name: `View ${n}`, filter: null }),
  });
  filterRuleCases({ tenant: () => tenant, send: (filter) => create(filter), success: 201 });

  it('returns 201 with the view and its entity tag, and writes an audit entry', async () => {
    const { id: documentTypeId } = await saveTypeWithAllFieldTypes(tenant);
    const { id: fileId } = await saveFile(tenant, viewer);
    const tagIds = [(await saveTag(tenant)).id, (await saveTag(tenant)).id];
    const metadataConditions = [
      { fieldKey: 'money', operator: 'GreaterThan', value: '1000.00 EUR' },
      { fieldKey: 'note', operator: 'Contains', value: '  Bra\u0308nde ' },
      { fieldKey: 'due', operator: 'IsNotEmpty', value: null },
    ];
    const response = await viewer.post('/saved-views', {
      name: 'Brände',
      filter: {
        documentTypeId: documentTypeId.toUpperCase(),
        fileId: fileId.toUpperCase(),
        tagIds: tagIds.map((id) => id.toUpperCase()),
        metadataConditions,
        status: 'Deleted',
      },
      ownerId: randomUUID(),
    });
    expect(response.status).toBe(201);
    const view = response.body as SavedViewBody;
    expect(view).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Brände',
      filter: {
        documentTypeId,
        fileId,
        tagIds,
        metadataConditions: [
          metadataConditions[0],
          { ...metadataConditions[1], value: 'Brände' },
          metadataConditions[2],
        ],
      },
      createdAt: TIMESTAMP,
      updatedAt: view.createdAt,
    });
    expect(Object.keys(view.filter)).toEqual(['documentTypeId', 'fileId', 'tagIds', 'metadataConditions']);
    const read = await viewer.get(`/saved-views/${view.id}`);
    expect([read.body, read.headers.etag]).toEqual([view, response.headers.etag]);
    expect(await tenant.audit()).toEqual([viewer.entry('SavedViewCreated', 'SavedView', view.id, 'Brände')]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it.each([
    ['an absent filter', undefined],
    ['a null filter', null],
    ['an empty filter', {}],
    ['a filter of nulls and nothing', { documentTypeId: null, fileId: null, tagIds: [] }],
  ])('returns 201 with an empty filter for %s', async (_, filter) => {
    const response = await create(filter);
    expect([response.status, (response.body as SavedViewBody).filter]).toEqual([201, NO_FILTER]);
  });

  it('returns 201 with null for an absent value of a condition', async () => {
    await saveTypeWithAllFieldTypes(tenant);
    const response = await create({ metadataConditions: [{ fieldKey: 'note', operator: 'IsEmpty' }] });
    expect((response.body as SavedViewBody).filter.metadataConditions).toEqual([
      { fieldKey: 'note', operator: 'IsEmpty', value: null },
    ]);
  });

  it('returns 201 for a name that another user has, or the same user in another tenant', async () => {
    const other = await tenant.as('editor');
    const elsewhere = await tenant.service.tenant();
    const abroad = await elsewhere.addMember(viewer, 'viewer');
    for (const actor of [viewer, other, abroad])
      expect((await actor.post('/saved-views', { name: 'Meine' })).status).toBe(201);
  });

  it('returns 400 and lists all ids that do not exist in this tenant', async () => {
    const elsewhere = await service.tenant();
    const foreign = {
      type: await saveDocumentType(elsewhere),
      tag: await saveTag(elsewhere),
      file: await saveFile(elsewhere, await elsewhere.as('editor')),
    };
    const tag = await saveTag(tenant);
    const request = create({
      documentTypeId: foreign.type.id,
      fileId: foreign.file.id,
      tagIds: [tag.id, foreign.tag.id, randomUUID()],
      metadataConditions: [{ fieldKey: 'note', operator: 'IsEmpty' }],
    });
    const paths = ['filter.documentTypeId', 'filter.fileId', 'filter.tagIds[1]', 'filter.tagIds[2]'];
    await expectRefused(tenant, request, 'request.invalid', paths);
  });

  it('returns 400 for a file that the caller cannot see; 201 with a grant', async () => {
    const { id: fileId } = await saveFile(tenant, viewer);
    const guest = await tenant.with('savedViews.manage');
    expectProblem(await create({ fileId }, guest), 'request.invalid', ['filter.fileId']);
    await saveAccessGrant(tenant, guest, { file: fileId });
    expect((await create({ fileId }, guest)).status).toBe(201);
  });

  it('returns 409 for a view name of the caller that differs only in case', async () => {
    await saveView(tenant, viewer, { name: 'Große' });
    const request = viewer.post('/saved-views', { name: 'GROSSE' });
    await expectRefused(tenant, request, 'saved-view.name-taken');
  });

  it('returns 201 to exactly one of several concurrent requests with the same name, 409 to the others', async () => {
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await viewer.post('/saved-views', { name: 'Meine' })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  describe('with 499 views', () => {
    beforeEach(async () => {
      await service.query(
        `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
         SELECT $1, gen_random_uuid(), $2, 'kept ' || n, 'kept ' || n, '{}' FROM generate_series(1, 499) n`,
        [tenant.id, viewer.userId],
      );
    });

    it('returns 201 for the 500th view and 409 for the next one of the same user', async () => {
      expect((await create(null)).status).toBe(201);
      const before = await tenant.fingerprint();
      expectProblem(await create(null), 'saved-view.too-many');
      expectProblem(await create({ tagIds: [randomUUID()] }), 'request.invalid', ['filter.tagIds[0]']);
      expect(await tenant.fingerprint()).toEqual(before);
      expect((await create(null, await tenant.as('editor'))).status).toBe(201);
    });

    it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
      const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await create(null)).status));
      expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    });
  });

  it('returns 403 when the caller is removed while the request waits', async () => {
    const response = await duringTransaction(
      service,
      'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, viewer.userId],
      () => create(null),
    );
    expectProblem(response, 'tenant.no-access');
    expect(await service.query('SELECT FROM saved_views WHERE tenant_id = $1', [tenant.id])).toEqual([]);
  });
});
