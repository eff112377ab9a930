import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { notModified } from '../../support/operations/not-modified.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager');
    holdId = (await saveHold(tenant, manager, { name: 'Prüfung', reason: 'Rechnungshof' })).id;
  });
  notModified(() => manager.get(`/holds/${holdId}`));

  it('returns 200 with the hold', async () => {
    const response = await manager.get(`/holds/${holdId}`).expect(200);
    expect(response.body).toEqual({
      id: holdId,
      name: 'Prüfung',
      reason: 'Rechnungshof',
      status: 'Active',
      createdById: manager.userId,
      createdAt: expect.any(String),
      releasedAt: null,
    });
  });
});
