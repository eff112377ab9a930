import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { newId } from '../../../src/common/identifier.js';
import { ContentStore } from '../../../src/platform/content/content-store.js';
import { ownerDataSource } from '../../../src/platform/database/data-source.js';
import { UnitOfWork } from '../../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../../src/platform/recording/recording.js';
import { TenantAdministration } from '../../../src/platform/tenancy/tenants/tenant-administration.js';
import { TenantDeletion } from '../../../src/platform/tenancy/tenants/tenant-deletion.js';
import {
  type TenantRecord,
  childrenFirst,
} from '../../../src/platform/tenancy/tenants/tenant-deletion.repository.js';
import { TenantsReader } from '../../../src/platform/tenancy/tenants/tenants.reader.js';
import { deliver } from '../../resources/webhooks/delivery/deliveries.js';
import { putContent, saveDocument } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { RawStream, whileTicking } from '../../support/event-stream.js';
import { expectProblem } from '../../support/expect-problem.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { TestTenant } from '../../support/tenant.js';
import { waitUntil } from '../../support/wait-until.js';

describe('A suspended tenant', () => {
  let service: TestService;
  let owner: DataSource;
  let uow: UnitOfWork;
  let tenants: TenantAdministration;
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    service = await TestService.start();
    owner = await ownerDataSource(service.database.ownerUrl).initialize();
    uow = await UnitOfWork.open(owner, new Recording());
    tenants = new TenantAdministration(uow);
  });
  afterAll(async () => {
    await owner.destroy();
    await service.stop();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  it('answers members with tenant.suspended, on every instance, until it is resumed', async () => {
    const second = await SecondInstance.start(service);
    try {
      const elsewhere = second.actor(admin);
      for (const member of [admin, elsewhere]) await member.get('/tags').expect(200);
      expect(await tenants.suspend(tenant.id)).toBe(true);
      for (const member of [admin, elsewhere]) {
        expectProblem(await member.get('/tags'), 'tenant.suspended');
        expectProblem(await member.post('/tags', { name: 'New' }), 'tenant.suspended');
        // After the checks of the request alone, as for those who are no members.
        expectProblem(await member.get('/tags?limit=0'), 'tenant.suspended');
      }
      expect(await tenants.suspend(tenant.id)).toBe(false);
      expect(await tenants.resume(tenant.id)).toBe(true);
      for (const member of [admin, elsewhere]) await member.get('/tags').expect(200);
      expect(await tenants.resume(tenant.id)).toBe(false);
      expect(await tenant.audit()).toMatchObject([
        { action: 'TenantSuspended', actor_id: null, subject_id: tenant.id },
        { action: 'TenantResumed', actor_id: null, subject_id: tenant.id },
      ]);
    } finally {
      await second.stop();
    }
  });

  it('answers GET /me with 404 and a detail that says why', async () => {
    await tenants.suspend(tenant.id);
    const response = await admin.get('/me');
    expectProblem(response, 'resource.not-found');
    expect(response.body).toMatchObject({
      detail: 'The operator of the service has suspended this tenant.',
    });
  });

  it('answers others as an unknown tenant does', async () => {
    const stranger = await tenant.nonMember();
    await tenants.suspend(tenant.id);
    const bodies = [];
    for (const slug of [tenant.slug, 'no-such-tenant']) {
      const response = await stranger.inTenant(new TestTenant(service, tenant.id, slug)).get('/tags');
      bodies.push({ status: response.status, ...(response.body as object), instance: '' });
    }
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject({ status: 403, type: '/problems/tenant.no-access' });
  });

  it('admits neither expected members nor invited people', async () => {
    const roleId = await tenant.roleId('viewer');
    const [expected, invited] = [await tenant.nonMember(), await tenant.nonMember()];
    const invitation = await admin.post('/invitations', { email: invited.email, roleId }).expect(201);
    await tenants.addAdministrator(tenant.id, expected.email, null);
    await tenants.suspend(tenant.id);
    expectProblem(await expected.get('/tags'), 'tenant.no-access');
    const answer = { secret: (invitation.body as { secret: string }).secret };
    expectProblem(await invited.post('/invitations/accept', answer), 'resource.not-found');
    await tenants.resume(tenant.id);
    await expected.get('/tags').expect(200);
    await invited.post('/invitations/accept', answer).expect(200);
  });

  it('ends open streams', async () => {
    const stream = await RawStream.open(admin, '/events/stream');
    await tenants.suspend(tenant.id);
    await whileTicking(service, stream.waitForEnd());
    expect(stream.isComplete).toBe(true);
  });

  it('pauses jobs, which count no attempt, and continues with them', async () => {
    const document = await saveDocument(tenant, admin);
    await putContent(admin, document.id, Buffer.from('Wort'));
    const [before] = await tenant.jobs();
    await tenants.suspend(tenant.id);
    await service.runJobs();
    await service.runJobs();
    const [paused] = await tenant.jobs();
    expect(paused).toMatchObject({ key: before?.key, attempts: 0 });
    await tenants.resume(tenant.id);
    await service.runJobs();
    const processed = await admin.get(`/documents/${document.id}`).expect(200);
    expect(processed.body).toMatchObject({ status: 'Active', content: { text: 'Available' } });
  });

  it('pauses webhooks, and sends what was created meanwhile after it', async () => {
    const receiver = await WebhookReceiver.start();
    try {
      await admin.post('/webhooks', { url: receiver.url, types: ['TagCreated'] }).expect(201);
      await admin.post('/tags', { name: randomUUID() }).expect(201);
      await tenants.suspend(tenant.id);
      await deliver(tenant);
      expect(receiver.requests).toHaveLength(0);
      await tenants.resume(tenant.id);
      await deliver(tenant);
      expect(receiver.requests).toHaveLength(1);
    } finally {
      await receiver.stop();
    }
  });

  it('is left out by the tasks of all tenants', async () => {
    await saveDocument(tenant, admin, { status: 'Deleted' });
    const found = async () => {
      const ids: string[] = [];
      const add = (id: string) => Promise.resolve(void ids.push(id));
      await service.app.get(TenantsReader).forEach({ function: 'tenants_with_deleted_documents' }, add);
      return ids.includes(tenant.id);
    };
    expect(await found()).toBe(true);
    await tenants.suspend(tenant.id);
    expect(await found()).toBe(false);
  });

  it('is deleted after its running jobs, and cannot be resumed once its deletion has begun', async () => {
    const document = await saveDocument(tenant, admin);
    for (const text of ['One', 'Two']) await putContent(admin, document.id, text);
    await tenants.suspend(tenant.id);
    const [running] = await tenant.jobs();
    const lock = (locked: string | null) =>
      service.query(
        'UPDATE graphile_worker._private_jobs SET locked_at = $2, locked_by = $3 WHERE key = $1',
        [running?.key, locked && new Date(), locked],
      );
    await lock('test');
    const store = service.app.get(ContentStore);
    const failing = {
      removeAll: () => Promise.reject(new Error('The store is unavailable')),
    } as unknown as ContentStore;
    const deletion = (contents: ContentStore) => {
      const records: TenantRecord[] = [];
      const done = new TenantDeletion(uow, contents).run(tenant.id, (record) => records.push(record));
      return done.then(() => records);
    };

    const interrupted = deletion(failing).catch((error: Error) => error.message);
    await waitUntil(async () => (await tenant.jobs()).length === 1);
    await admin.get('/me').expect(404);
    expect(await service.query('SELECT FROM members WHERE tenant_id = $1', [tenant.id])).toHaveLength(1);
    await lock(null);
    expect(await interrupted).toBe('The store is unavailable');

    await expect(tenants.resume(tenant.id)).rejects.toThrow('The deletion of this tenant has begun.');
    await expect(tenants.addAdministrator(tenant.id, 'a@people.example', null)).rejects.toThrow('has begun');
    expect(await deletion(store)).toHaveLength(1);
    const nothing = await new TestTenant(service, newId(), '').fingerprint();
    expect(await tenant.fingerprint()).toEqual(nothing);
    expect(await service.query('SELECT FROM tenants WHERE id = $1', [tenant.id])).toEqual([]);
  });
});

describe('childrenFirst', () => {
  it('sorts tables by their foreign keys, and refuses a circle', () => {
    const keys = [
      { child: 'c', parent: 'b' },
      { child: 'b', parent: 'a' },
      { child: 'b', parent: 'b' },
      { child: 'd', parent: 'elsewhere' },
    ];
    const sorted = childrenFirst(['a', 'b', 'c', 'd'], keys);
    expect(sorted.indexOf('c')).toBeLessThan(sorted.indexOf('b'));
    expect(sorted.indexOf('b')).toBeLessThan(sorted.indexOf('a'));
    expect(sorted).toHaveLength(4);
    expect(() => childrenFirst(['a', 'b'], [...keys, { child: 'a', parent: 'b' }])).toThrow('circle');
  });
});
