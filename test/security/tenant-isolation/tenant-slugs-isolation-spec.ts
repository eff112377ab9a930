import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { serviceContext } from '../../../src/platform/tenancy/access/access.directory.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

/**
 * Every transaction can read the tables of tenants and slugs, because a request names its tenant by the slug. These
 * tests run SQL as the service role, without the rules of the service, to show what row-level security allows.
 */
describe('Row-level security of tenants and slugs', () => {
  let own: TestTenant;
  let other: TestTenant;

  beforeEach(async () => {
    [own, other] = [await service.tenant(), await service.tenant()];
  });

  const asOwn = (text: string, values: unknown[]) =>
    service.app.get(UnitOfWork).write(serviceContext(own.id), (tx) => tx.query(text, values));

  const allRows = () =>
    service.query('SELECT * FROM tenants t JOIN tenant_slugs s ON s.tenant_id = t.id ORDER BY t.id, slug');

  async function formerSlug(of: TestTenant, expiry: string): Promise<string> {
    const slug = `former-${of.slug}`;
    await service.query(
      'INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now() + $3::interval)',
      [slug, of.id, expiry],
    );
    return slug;
  }

  it('protects the current slug of another tenant, and a former one until it expires', async () => {
    const unexpired = await formerSlug(other, '1 hour');
    const before = await allRows();
    for (const slug of [other.slug, unexpired]) {
      for (const statement of [
        'DELETE FROM tenant_slugs WHERE slug = $1 RETURNING slug',
        `UPDATE tenant_slugs SET expires_at = now() WHERE slug = $1 RETURNING slug`,
        `UPDATE tenant_slugs SET tenant_id = current_setting('app.tenant_id')::uuid WHERE slug = $1 RETURNING slug`,
      ]) {
        expect(await asOwn(statement, [slug])).toEqual([]);
      }
    }
    expect(await allRows()).toEqual(before);
  });

  it('refuses an INSERT ... ON CONFLICT that would take over a slug of another tenant', async () => {
    const unexpired = await formerSlug(other, '1 hour');
    for (const slug of [other.slug, unexpired]) {
      await expect(
        asOwn(
          `INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now())
           ON CONFLICT (slug) DO UPDATE SET tenant_id = excluded.tenant_id, expires_at = excluded.expires_at`,
          [slug, own.id],
        ),
      ).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('refuses to give a slug to another tenant', async () => {
    await expect(
      asOwn('INSERT INTO tenant_slugs (slug, tenant_id, expires_at) VALUES ($1, $2, now())', [
        `given-${own.slug}`,
        other.id,
      ]),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      asOwn('UPDATE tenant_slugs SET tenant_id = $2, expires_at = now() WHERE slug = $1', [
        own.slug,
        other.id,
      ]),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('allows a tenant to take an expired slug for itself', async () => {
    const ended = await formerSlug(other, '-1 second');
    const taken = await asOwn(
      'UPDATE tenant_slugs SET tenant_id = $2, expires_at = now() WHERE slug = $1 RETURNING tenant_id',
      [ended, own.id],
    );
    expect(taken).toEqual([{ tenant_id: own.id }]);
  });

  it('refuses to change another tenant, and to insert or delete any tenant', async () => {
    const before = await allRows();
    expect(
      await asOwn('UPDATE tenants SET access_version = 9 WHERE id = $1 RETURNING id', [other.id]),
    ).toEqual([]);
    for (const statement of [
      `INSERT INTO tenants (id, name) VALUES ($1, 'New')`,
      'DELETE FROM tenants WHERE id = $1',
    ]) {
      await expect(asOwn(statement, [own.id])).rejects.toMatchObject({ code: '42501' });
    }
    expect(await allRows()).toEqual(before);
  });

  it('allows at most one current slug for each tenant', async () => {
    await expect(
      asOwn('INSERT INTO tenant_slugs (slug, tenant_id) VALUES ($1, $2)', [`second-${own.slug}`, own.id]),
    ).rejects.toMatchObject({ code: '23505', constraint: 'uq_tenant_slugs_current' });
  });
});
