import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { saveExpectedMember } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { connectAsService, tenantsInRows } from '../../support/service-session.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('The view own_tenants', () => {
  let client: pg.Client;
  let tenant: TestTenant;
  let alice: Actor;
  beforeAll(async () => {
    client = await connectAsService(service);
  });
  afterAll(() => client.end());
  beforeEach(async () => {
    tenant = await service.tenant();
    alice = await tenant.as('auditor', 'Alice');
  });

  const rows = (settings: Record<string, string>, table: string) => tenantsInRows(client, settings, table);

  it('shows the service role only the rows of the given user or address', async () => {
    const other = await service.tenant();
    const bob = await other.as('viewer');
    await saveExpectedMember(other, alice.email, await other.roleId('guest'));
    expect(await rows({ user_id: alice.userId }, 'own_tenants')).toEqual([tenant.id]);
    expect(await rows({ user_id: bob.userId }, 'own_tenants')).toEqual([other.id]);
    expect(await rows({ user_email_key: alice.email }, 'own_tenants')).toEqual([other.id]);
    for (const table of ['members', 'roles', 'expected_members'])
      expect(await rows({ user_id: alice.userId, user_email_key: alice.email }, table)).toEqual([]);
    expect(await rows({ tenant_id: tenant.id }, 'own_tenants')).toEqual([]);
    expect(await rows({}, 'own_tenants')).toEqual([]);
  });
});
