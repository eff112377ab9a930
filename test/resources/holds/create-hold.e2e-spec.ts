import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
  });
  const body = { name: 'Rechtsstreit', reason: 'Klage vom 3. März' };

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => body,
    send: (sent) => manager.post('/holds', sent),
    success: 201,
  });
  idempotentCreation({
    actor: () => manager,
    permission: 'holds.manage',
    send: (actor, n) => actor.post('/holds', { ...body, name: `Hold ${n}` }),
    failing: (actor) => actor.post('/holds', { name: '' }),
  });

  it('returns 201 with an active hold, and writes an audit entry without name and reason', async () => {
    const response = await manager.post('/holds', { ...body, id: 'x', status: 'Released' }).expect(201);
    expect(response.body).toEqual({
      ...body,
      id: expect.any(String),
      status: 'Active',
      createdById: manager.userId,
      createdAt: expect.any(String),
      releasedAt: null,
    });
    const { id } = response.body as { id: string };
    expect(await tenant.audit()).toEqual([manager.entry('HoldCreated', 'Hold', id, null)]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(`/holds/${id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 201 for a name that another hold has', async () => {
    for (let n = 0; n < 2; n += 1) expect((await manager.post('/holds', body)).status).toBe(201);
  });

  it('returns 201 for the longest reason', async () => {
    const reason = 'ß'.repeat(2000);
    expect((await manager.post('/holds', { ...body, reason })).body).toMatchObject({ reason });
  });

  it.each([
    ['absent', ABSENT],
    ['null', null],
    ['empty', ' '],
    ['a number', 5],
    ['too long', 'x'.repeat(2001)],
    ['of two lines', 'a\nb'],
  ])('returns 400 when the reason is %s', async (_, value) => {
    await expectRefused(tenant, manager.post('/holds', bodyWith(body, 'reason', value)), 'request.invalid', [
      'reason',
    ]);
  });
});
