import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
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

  it('returns 200 with the hold', async () => {
    const response = await manager.get(`/holds/${holdId}`);
    expect([response.status, response.body]).toEqual([
      200,
      {
        id: holdId,
        name: 'Prüfung',
        reason: 'Rechnungshof',
        status: 'Active',
        createdById: manager.userId,
        createdAt: expect.any(String),
        releasedAt: null,
      },
    ]);
  });

  it('returns 304 for a current If-None-Match', async () => {
    const { etag = '' } = (await manager.get(`/holds/${holdId}`)).headers;
    const response = await manager.get(`/holds/${holdId}`).set('If-None-Match', etag);
    expect([response.status, response.text]).toEqual([304, '']);
  });
});
