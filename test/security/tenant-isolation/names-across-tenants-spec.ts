import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { readAll } from '../../support/operations/paged-list.js';
import { TestService } from '../../support/service/service.js';
import { TestTenant } from '../../support/tenant.js';
import { MeteredInstance } from '../support/metered-instance.js';

interface Member {
  readonly userId: string;
  readonly subject: string;
}

/** The attacker is an administrator who adds a user of another tenant as a member, by issuer and subject. */
describe('Names and email addresses of users of another tenant', () => {
  let service: TestService;
  let tenant: TestTenant;
  let attacker: Actor;
  let victim: Actor;
  let roleId: string;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    const otherTenant = await service.tenant();
    victim = await otherTenant.as('editor', `Zz Victim ${randomUUID()}`);
    await victim.get('/files').expect(200);
    tenant = await service.tenant();
    attacker = await tenant.as('administrator', 'Ada');
    roleId = await tenant.roleId('editor');
  });

  const add = (subject: string, who = attacker) =>
    who.post('/members', { issuer: service.issuer.url, subject, roleId });
  const secrets = () => [victim.name, victim.email, victim.name.toLowerCase()];

  it('are hidden until the user makes a request to this tenant', async () => {
    const fileId = (await saveFile(tenant, attacker)).id;
    const { id: documentId } = await saveDocument(tenant, attacker, { confidentialTo: [attacker] });
    const list = `/documents/${documentId}/confidential-access`;
    const grant = { subjectType: 'User', targetType: 'File', level: 'Read', targetId: fileId };
    const answers: unknown[] = [];
    const recorded = async (request: PromiseLike<{ status: number; body: unknown }>, status: number) => {
      const answer = await request;
      expect(answer.status).toBe(status);
      answers.push(answer.body);
      return answer.body;
    };

    const { userId } = (await recorded(add(victim.subject), 201)) as Member;
    expect(answers).toMatchObject([{ email: null, displayName: null, subject: victim.subject }]);
    await recorded(attacker.put(`/members/${userId}`, { roleId: await tenant.roleId('viewer') }), 200);
    await recorded(attacker.get('/members'), 200);
    await recorded(attacker.put(`${list}/${userId}`), 204);
    await recorded(attacker.get(list), 200);
    const granted = await recorded(attacker.post('/access-grants', { ...grant, subjectId: userId }), 201);
    await recorded(attacker.delete(`/access-grants/${(granted as { id: string }).id}`), 204);
    await recorded(attacker.post('/access-grants', { ...grant, subjectId: userId }), 201);
    await recorded(attacker.delete(`/files/${fileId}`), 204);
    await recorded(attacker.delete(`${list}/${userId}`), 204);
    await recorded(attacker.put(`${list}/${userId}`), 204);
    await recorded(attacker.get('/notifications'), 200);
    await recorded(attacker.delete(`/members/${userId}`), 204);
    const { items } = (await recorded(attacker.get('/audit-log?limit=200'), 200)) as { items: object[] };
    expect(items.length).toBeGreaterThanOrEqual(12);
    const text = JSON.stringify(answers);
    expect(secrets().filter((secret) => text.includes(secret))).toEqual([]);

    await add(victim.subject).expect(201);
    await victim.inTenant(tenant).get('/me').expect(200);
    const members = await readAll(attacker, '/members', 200);
    expect(members).toContainEqual(
      expect.objectContaining({ userId, email: victim.email, displayName: victim.name }),
    );
  });

  it('are not in cursors and do not determine the order of the list of members', async () => {
    const zoe = await tenant.as('guest', 'Zoe');
    await add(victim.subject).expect(201);
    // Sorted by name, the victim would be last.
    const listed = await readAll(attacker, '/members', 1);
    expect(listed.map((item) => (item as unknown as Member).subject).at(-1)).toBe(zoe.subject);
    for (let cursor: string | null = null, pages = 0; pages < 3; pages += 1) {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await attacker.get(`/members?limit=1${query}`).expect(200);
      cursor = (page.body as { nextCursor: string | null }).nextCursor;
      const text = Buffer.from(cursor ?? '', 'base64url').toString();
      expect(secrets().filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it('cannot be guessed by inviting the email address', async () => {
    await add(victim.subject).expect(201);
    const invite = () => attacker.post('/invitations', { email: victim.email, roleId });
    await invite().expect(201);
  });

  describe('The existence of a user', () => {
    let instance: MeteredInstance;
    let here: TestTenant;
    beforeAll(async () => {
      instance = await MeteredInstance.start(service);
    });
    afterAll(() => instance.stop());
    beforeEach(() => {
      // The same tenant, on the instance whose database traffic is counted.
      const metered = Object.create(service, { url: { value: instance.url } }) as TestService;
      here = new TestTenant(metered, tenant.id, tenant.slug);
    });

    it('shows neither in the response nor in the bytes sent to the database', async () => {
      const caller = attacker.inTenant(here);
      // The service creates the row of this user at the first request.
      const subject = randomUUID();
      const token = await service.issuer.token({ sub: subject, email: victim.email, name: victim.name });
      await victim.withToken(token).get('/me');
      const addAndRemove = async (one: string) => {
        const { result, bytes } = await instance.measure(async () => await add(one, caller));
        expect(result.status).toBe(201);
        const { userId, createdAt, ...shown } = result.body as Member & { createdAt: string };
        await caller.delete(`/members/${userId}`).expect(204);
        expect(createdAt).toEqual(expect.any(String));
        return { ...shown, subject: '', version: userId[14], bytes };
      };
      // The first request prepares the statements.
      await addAndRemove(randomUUID());
      await addAndRemove(victim.subject);
      const unknown = await addAndRemove(randomUUID());
      const known = await addAndRemove(subject);
      expect(known).toEqual(unknown);
      // A UUID of version 7 would reveal when the user was created.
      expect(known.version).toBe('4');
    });
  });
});
