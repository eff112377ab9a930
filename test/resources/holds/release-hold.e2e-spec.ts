import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ReleaseHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    holdId = (await saveHold(tenant, manager)).id;
  });

  it('returns 200 with the released hold, and writes an audit entry without its name', async () => {
    const before = (await manager.get(`/holds/${holdId}`)).body as object;
    const response = await manager.post(`/holds/${holdId}/release`);
    const released = { ...before, status: 'Released', releasedAt: expect.any(String) };
    expect([response.status, response.body]).toEqual([200, released]);
    expect((await manager.get(`/holds/${holdId}`)).text).toBe(response.text);
    expect(await tenant.audit()).toEqual([manager.entry('HoldReleased', 'Hold', holdId, null)]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('releases what it contains, unless another hold contains it, and keeps its items', async () => {
    const file = await saveFile(tenant, manager);
    const [one, two] = [
      await saveDocument(tenant, manager, { fileIds: [file.id] }),
      await saveDocument(tenant, manager),
    ];
    const hold = await saveHold(tenant, manager, { fileIds: [file.id], documentIds: [two.id] });
    await saveHold(tenant, manager, { documentIds: [two.id] });
    expectProblem(await manager.delete(`/documents/${one.id}`), 'hold.active');
    await manager.post(`/holds/${hold.id}/release`).expect(200);
    await manager.delete(`/documents/${one.id}`).expect(204);
    expectProblem(await manager.delete(`/documents/${two.id}`), 'hold.active');
    const { items } = (await manager.get(`/holds/${hold.id}/items`)).body as { items: object[] };
    expect(items).toHaveLength(2);
  });

  it('returns 409 for a released hold', async () => {
    await manager.post(`/holds/${holdId}/release`).expect(200);
    await expectRefused(tenant, () => manager.post(`/holds/${holdId}/release`), 'hold.released');
  });
});
