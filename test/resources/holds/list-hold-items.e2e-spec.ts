import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { pagedList } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Id of a hold in every tenant of the test: ids are unique only within a tenant. */
const HOLD = '0199f7a4-6c1e-7b52-9d2e-3c5f0a1b2c3e';

describe('ListHoldItems', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager');
    await saveHold(tenant, manager, { id: HOLD });
  });
  const idsFor = async (actor: Actor, holdId = HOLD) => {
    const { items } = (await actor.get(`/holds/${holdId}/items`)).body as { items: { subjectId: string }[] };
    return items.map(({ subjectId }) => subjectId);
  };

  pagedList({
    actor: () => manager,
    other: () => tenant.as('administrator'),
    path: `/holds/${HOLD}/items`,
    otherPath: '/holds',
    key: 'subjectId',
    fill: async (where, count) => {
      if (where !== tenant) await saveHold(where, manager, { id: HOLD });
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const isFile = n % 2 === 0;
        const { id } = isFile ? await saveFile(where, manager) : await saveDocument(where, manager);
        const [table, column] = isFile ? ['hold_files', 'file_id'] : ['hold_documents', 'document_id'];
        await service.query(
          `INSERT INTO ${table} (tenant_id, hold_id, ${column}, added_by) VALUES ($1, $2, $3, $4)`,
          [where.id, HOLD, id, manager.userId],
        );
        ids.push(id);
      }
      return ids.reverse();
    },
  });

  it('returns 200 with files and documents, last added first', async () => {
    const file = await saveFile(tenant, manager);
    const document = await saveDocument(tenant, manager);
    await manager.put(`/holds/${HOLD}/files/${file.id}`).expect(204);
    await manager.put(`/holds/${HOLD}/documents/${document.id}`).expect(204);
    const response = await manager.get(`/holds/${HOLD}/items`).expect(200);
    const added = { addedAt: expect.any(String), addedById: manager.userId };
    expect(response.body).toEqual({
      items: [
        { subjectType: 'Document', subjectId: document.id, title: document.title, ...added },
        { subjectType: 'File', subjectId: file.id, title: `${file.number}: ${file.name}`, ...added },
      ],
      nextCursor: null,
    });
  });

  it('returns 200 without files and documents that are not visible to the caller', async () => {
    const creator = await tenant.as('editor');
    const [file, hidden] = [await saveFile(tenant, creator), await saveFile(tenant, creator)];
    const [open, secret, binned] = [
      await saveDocument(tenant, creator, { fileIds: [file.id] }),
      await saveDocument(tenant, creator, { fileIds: [file.id], confidentialTo: [creator] }),
      await saveDocument(tenant, creator, { fileIds: [file.id], status: 'Deleted' }),
    ];
    const items = {
      fileIds: [file.id, hidden.id],
      documentIds: [open.id, secret.id, binned.id],
    };
    const { id } = await saveHold(tenant, creator, items);
    const limited = await tenant.with('holds.manage', 'documents.read');
    await saveAccessGrant(tenant, limited, { file: file.id });
    expect((await idsFor(limited, id)).sort()).toEqual([file.id, open.id].sort());
    expect((await idsFor(manager, id)).sort()).toEqual([file.id, hidden.id, open.id, binned.id].sort());
    expect(await idsFor(await tenant.with('holds.manage'), id)).toEqual([]);
  });

  it('returns 200 without the items of other holds', async () => {
    await saveHold(tenant, manager, { fileIds: [(await saveFile(tenant, manager)).id] });
    expect(await idsFor(manager)).toEqual([]);
  });
});
