import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetMember', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let member: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('auditor');
    member = await tenant.as('viewer', 'Victor');
  });

  it('returns 200 with the member as in the list, for an uppercase id too', async () => {
    const { items } = (await reader.get('/members')).body as { items: { userId: string }[] };
    const response = await reader.get(`/members/${member.userId.toUpperCase()}`).expect(200);
    expect(response.body).toEqual(items.find(({ userId }) => userId === member.userId));
    expect(response.body).toMatchObject({ displayName: 'Victor', email: member.email });
  });

  it('returns 200 without name and address until the member first calls this tenant', async () => {
    const admin = await tenant.as('administrator');
    const body = { issuer: service.issuer.url, subject: randomUUID(), roleId: await tenant.roleId('viewer') };
    const added = (await admin.post('/members', body)).body as { userId: string };
    const response = await reader.get(`/members/${added.userId}`);
    expect([response.status, response.body]).toEqual([200, added]);
    expect(response.body).toMatchObject({ displayName: null, email: null, subject: body.subject });
  });

  it('returns 404 for a removed member', async () => {
    const admin = await tenant.as('administrator');
    expect((await admin.delete(`/members/${member.userId}`)).status).toBe(204);
    expectProblem(await reader.get(`/members/${member.userId}`), 'resource.not-found');
  });
});
