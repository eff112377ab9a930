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

/** An administrator makes a user of another tenant a member by issuer and subject. */
describe('Names and addresses of users of another tenant', () => {
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
    const elsewhere = await service.tenant();
    victim = await elsewhere.as('editor', `Zz Victim ${randomUUID()}`);
    await victim.get('/files').expect(200);
    tenant = await service.tenant();
    attacker = await tenant.as('administrator', 'Ada');
    roleId = await tenant.roleId('editor');
  });

  const add = (subject: string, who = attacker) =>
    who.post('/members', { issuer: service.issuer.url, subject, roleId });
  const secrets = () => [victim.name, victim.email, victim.name.toLowerCase()];

  it('are in no answer before the user calls this tenant, and in the list of members afterwards', async () => {
    const fileId = (await saveFile(tenant, attacker)).id;
    const { id: documentId } = await saveDocument(tenant, attacker, { confidentialTo: [attacker] });
    const list = `/documents/${documentId}/confidential-access`;
    const grant = { subjectType: 'User', targetType: 'File', level: 'Read', targetId: fileId };
    const answers: unknown[] = [];
    const told = async (request: PromiseLike<{ status: number; body: unknown }>, status: number) => {
      const answer = await request;
      expect(answer.status).toBe(status);
      answers.push(answer.body);
      return answer.body;
    };

    const { userId } = (await told(add(victim.subject), 201)) as Member;
    expect(answers).toMatchObject([{ email: null, displayName: null, subject: victim.subject }]);
    await told(attacker.put(`/members/${userId}`, { roleId: await tenant.roleId('viewer') }), 200);
    await told(attacker.get('/members'), 200);
    await told(attacker.put(`${list}/${userId}`), 204);
    await told(attacker.get(list), 200);
    const granted = await told(attacker.post('/access-grants', { ...grant, subjectId: userId }), 201);
    await told(attacker.delete(`/access-grants/${(granted as { id: string }).id}`), 204);
    await told(attacker.post('/access-grants', { ...grant, subjectId: userId }), 201);
    await told(attacker.delete(`/files/${fileId}`), 204);
    await told(attacker.delete(`${list}/${userId}`), 204);
    await told(attacker.put(`${list}/${userId}`), 204);
    await told(attacker.get('/notifications'), 200);
    await told(attacker.delete(`/members/${userId}`), 204);
    const { items } = (await told(attacker.get('/audit-log?limit=200'), 200)) as { items: object[] };
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

  it('are in no cursor, and do not decide the field in the list of members', async () => {
    const zoe = await tenant.as('guest', 'Zoe');
    await add(victim.subject).expect(201);
    // By the name the victim would be the last.
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

  it('cannot be guessed by inviting the address', async () => {
    await add(victim.subject).expect(201);
    const invite = () => attacker.post('/invitations', { email: victim.email, roleId });
    await invite().expect(201);
  });

  describe('Whether a user is known', () => {
    let instance: MeteredInstance;
    let here: TestTenant;
    beforeAll(async () => {
      instance = await MeteredInstance.start(service);
    });
    afterAll(() => instance.stop());
    beforeEach(() => {
      // The same tenant, asked over the instance whose traffic is counted.
      const counted = Object.create(service, { url: { value: instance.url } }) as TestService;
      here = new TestTenant(counted, tenant.id, tenant.slug);
    });

    it('is told neither by the answer nor by the work for the database', async () => {
      const caller = attacker.inTenant(here);
      // A user of today's release, whose row the service itself made.
      const subject = randomUUID();
      const token = await service.issuer.token({ sub: subject, email: victim.email, name: victim.name });
      await victim.withToken(token).get('/me');
      const ask = async (one: string) => {
        const { result, bytes } = await instance.measure(async () => await add(one, caller));
        expect(result.status).toBe(201);
        const { userId, createdAt, ...shown } = result.body as Member & { createdAt: string };
        await caller.delete(`/members/${userId}`).expect(204);
        expect(createdAt).toEqual(expect.any(String));
        return { ...shown, subject: '', version: userId[14], bytes };
      };
      // The first time statements are prepared.
      await ask(randomUUID());
      await ask(victim.subject);
      const unknown = await ask(randomUUID());
      const known = await ask(subject);
      expect(known).toEqual(unknown);
      // An id with a time in it would tell since when the user is known.
      expect(known.version).toBe('4');
    });
  });
});
