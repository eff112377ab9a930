import { beforeEach, describe, expect, it } from '@jest/globals';
import { setCreatedAt, saveDocument } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { type PageBody, pagedList } from '../../../support/operations/paged-list.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

describe('ListConfidentialDocuments', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    manager = await tenant.with('documents.confidential.manage');
  });

  const send = (actor = manager) => actor.get('/confidential-documents');

  pagedList({
    actor: () => manager,
    other: () => tenant.as('administrator'),
    path: '/confidential-documents',
    otherPath: '/notifications',
    fill: async (where, count) => {
      const creator = await where.as('editor');
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push((await saveDocument(where, creator, { confidentialTo: [creator] })).id);
        await saveDocument(where, creator);
      }
      // The same time for all, so that the id decides the order.
      for (const id of ids) await setCreatedAt(where, id, '2026-01-01T00:00:00Z');
      return ids.sort().reverse();
    },
  });

  it('returns 200 with id, creation time and number of users only, and writes nothing', async () => {
    const viewer = await tenant.as('viewer');
    const make = async (createdAt: string, confidentialTo: Actor[], status: 'Processing' | 'Archived') => {
      const { id } = await saveDocument(tenant, editor, { title: 'Abmahnung', status, confidentialTo });
      await setCreatedAt(tenant, id, createdAt);
      return { id, createdAt, userCount: confidentialTo.length };
    };
    const first = await make('2026-01-01T08:15:30.120Z', [editor], 'Archived');
    const third = await make('2026-03-01T08:15:30.000Z', [editor, viewer], 'Processing');
    const second = await make('2026-02-01T08:15:30.123Z', [], 'Archived');
    const before = await tenant.fingerprint();

    const response = await send();

    expect([response.status, response.body, response.headers.etag]).toEqual([
      200,
      { items: [third, second, first], nextCursor: null },
      undefined,
    ]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 without documents in the bin or not confidential', async () => {
    await saveDocument(tenant, editor, { status: 'Deleted', confidentialTo: [editor] });
    await saveDocument(tenant, editor);
    expect(((await send()).body as PageBody).items).toEqual([]);
  });

  it('returns 200 with the same content to a caller who is on some of the lists', async () => {
    const admin = await tenant.as('administrator');
    const { id } = await saveDocument(tenant, editor, {
      title: 'Abmahnung',
      confidentialTo: [admin, editor],
    });
    const { items } = (await send(admin)).body as PageBody;
    expect(items).toEqual([{ id, createdAt: expect.any(String), userCount: 2 }]);
  });
});
