import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { GUESTS, type GuestGround, guestGround, hiddenFor, seenFor } from './support/out-of-sight.js';
import { settle } from '../support/settlement.js';
import { thingIn } from '../support/wall.js';
import { WallClient, type WallRequest, comparable, severalAtATime } from '../support/wall-client.js';
import { type WallOperation, wallOperations } from '../support/wall-operations.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

/** Ways to look for what others do, beyond the parameters that name things. */
const LOOKING: readonly string[] = [
  '/files?q=zacharias',
  '/files?q=ge',
  '/files?status=Closed',
  '/documents?q=zacharias',
  '/documents?q=z',
  '/documents?q=-zacharias',
  '/documents?q=zacharias&order=relevance',
  '/documents?status=Deleted',
  '/documents?status=Archived',
  '/documents?status=Processing',
  '/notifications?unreadOnly=true',
  '/tags?limit=1',
];

/**
 * A guest is somebody from outside who was shown one file. Whatever else there is and goes on in the tenant (files,
 * documents, members, roles, grants to others, which tags are in use) and in others, they must not notice.
 */
describe('Guests', () => {
  let service: TestService;
  let client: WallClient;
  let operations: readonly WallOperation[];
  let ground: GuestGround;
  beforeAll(async () => {
    // Its own, because it runs all jobs: in the shared database they are those of other specs, too.
    service = await TestService.start();
    client = new WallClient(service.url, service.app.getHttpServer(), service.conformance);
    operations = wallOperations(service);
  });
  afterAll(async () => {
    client.stop();
    await service.stop();
  });

  const prepare = async () => {
    ground = await guestGround(service);
  };

  const base = () => `/api/v1/t/${ground.home.tenant.slug}`;

  async function ask(
    { token }: Actor,
    request: Omit<WallRequest, 'token'>,
    named: string[],
  ): Promise<string> {
    const answer = await client.send({ ...request, token });
    if (answer.status >= 500) throw new Error(`${request.method} ${request.path} failed: ${answer.text}`);
    return comparable(answer, named);
  }

  /** Everything that can be read, with what each answer was. */
  async function readAll(guest: Actor): Promise<Map<string, string>> {
    const { slug } = ground.home.tenant;
    const fill = (slot: Parameters<typeof seenFor>[0]) => seenFor(slot, ground);
    const requests = operations
      .filter(({ method, name }) => method === 'GET' || name === 'SearchDocuments')
      .flatMap(({ forms, filters, page }) => [
        ...[...forms, ...filters].map((form) => form.build(slug, fill)),
        ...(page ? [page(slug, fill)] : []),
      ]);
    const looking = LOOKING.map((path): Omit<WallRequest, 'token'> => ({
      method: 'GET',
      path: base() + path,
    }));
    const answers = new Map<string, string>();
    await severalAtATime([...requests, ...looking], async (request) => {
      answers.set(`${request.method} ${request.path} ${String(request.body)}`, await ask(guest, request, []));
    });
    return answers;
  }

  describe('are told the same of what is hidden from them and of what is not there', () => {
    beforeAll(prepare);

    it.each(GUESTS)('%s', async (what) => {
      const guest = ground.guests[what];
      const { tenant } = ground.home;
      const before = await tenant.fingerprint();
      const places = operations.flatMap(({ name, forms, filters }) =>
        [...forms, ...filters].flatMap((form) => form.slots.map((slot) => ({ name, form, slot }))),
      );
      let tried = 0;
      const faults = await severalAtATime(places, async ({ name, form, slot }) => {
        const naming = (id: string) =>
          ask(
            guest,
            form.build(tenant.slug, (one) => (one === slot ? id : seenFor(one, ground))),
            [id],
          );
        const hidden = hiddenFor(slot, ground);
        if (hidden.length === 0) return [];
        const [unknown, ...answers] = await Promise.all([newId(), ...hidden].map(naming));
        tried += answers.length;
        return answers
          .filter((answer) => answer !== unknown)
          .map((answer) => `${name} ${slot.place}: ${answer} instead of ${unknown}`);
      });
      expect(faults.flat()).toEqual([]);
      expect(tried).toBeGreaterThan(100);
      expect(await tenant.fingerprint()).toEqual(before);
    });
  });

  describe('when others do something of everything', () => {
    const before = new Map<string, Map<string, string>>();
    beforeAll(async () => {
      await prepare();
      for (const what of GUESTS) before.set(what, await readAll(ground.guests[what]));
      await goOn();
    });

    it.each(GUESTS)('%s see nothing of it', async (what) => {
      const after = await readAll(ground.guests[what]);
      expect(after.size).toBeGreaterThan(40);
      expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before.get(what) ?? []));
    });
  });

  describe('with a Write grant', () => {
    beforeEach(prepare);

    it('see of a document of theirs that is filed away from them only that it was touched', async () => {
      const { chief, guests, home } = ground;
      const guest = guests['with a Write grant'];
      const body = { title: 'Mein Brief', fileIds: [thingIn(home, 'file')] };
      const { id } = (await guest.post('/documents', body).expect(201)).body as { id: string };
      const read = async () => ({
        document: { ...((await guest.get(`/documents/${id}`).expect(200)).body as object), updatedAt: '' },
        notifications: (await guest.get('/notifications').expect(200)).body as object,
      });
      const before = await read();
      const place = `/documents/${id}/files/${thingIn(home, 'otherFile')}`;
      await chief.put(place).expect(204);
      expect(await read()).toEqual(before);
      await chief.delete(place).expect(204);
      expect(await read()).toEqual(before);
      expect(await home.tenant.notifications()).toHaveLength(2 + 2);
    });

    it('are not told that what they upload is there already, out of their sight', async () => {
      const { chief, guests, home } = ground;
      const content = { bytes: 'What others have, too', fileName: 'x.txt', mediaType: 'text/plain' };
      await upload(chief, { title: 'Zacharias', fileIds: [thingIn(home, 'otherFile')] }, content).expect(201);
      const own = { title: 'Mein Brief', fileIds: [thingIn(home, 'file')] };
      const response = await upload(guests['with a Write grant'], own, content).expect(201);
      expect((response.body as { duplicateIds: string[] }).duplicateIds).toEqual([]);
    });
  });

  /** Something of everything that the guests are not to notice. */
  async function goOn(): Promise<void> {
    const { chief, home, people } = ground;
    const { tenant } = home;
    const the = (name: string) => thingIn(home, name);
    const made = async (path: string, body: object) =>
      ((await chief.post(path, body).expect(201)).body as { id: string }).id;
    const fileId = await made('/files', {
      ...{ fileTypeId: the('fileType'), number: 'GEHEIM-1', name: 'Geheimakte Zacharias' },
    });
    const tagIds = [the('tag'), the('otherTag'), the('spareTag')];
    const document = { title: 'Abmahnung Zacharias', documentTypeId: the('documentType'), tagIds };
    const references = { akte: fileId, anlage: the('archivedDocument'), person: the('member') };
    await made('/documents', { ...document, fields: references, fileIds: [fileId] });
    // The very bytes that the guests may read.
    const bytes = `Second version in ${tenant.slug}`;
    await upload(chief, { ...document, fileIds: [fileId] }, { bytes }).expect(201);
    await service.runJobs();

    const secret = await made('/documents', { ...document, fileIds: [the('file')], isConfidential: true });
    const path = `/documents/${secret}`;
    await chief.put(path, { title: 'Abmahnung Zacharias II' }).expect(200);
    await chief.put(`${path}/files/${fileId}`).expect(204);
    await chief.put(`${path}/confidential-access/${the('member')}`).expect(204);
    await chief.post(`${path}/archive`).expect(200);
    await chief.delete(path).expect(204);
    await chief.delete(`/documents/${the('secretInFile')}`).expect(204);

    await chief.put(`/files/${the('otherFile')}`, { name: 'Zacharias' }).expect(200);
    await chief.post(`/files/${the('otherFile')}/close`).expect(200);
    await chief.post(`/files/${the('closedFile')}/reopen`).expect(200);
    await chief.delete(`/files/${the('emptyFile')}`).expect(204);
    await chief.post(`/documents/${the('archivedDocument')}/unarchive`).expect(200);
    await chief.post(`/documents/${the('binnedDocument')}/restore`).expect(200);
    await chief.delete(`/documents/${the('spareDocument')}`).expect(204);

    const role = await made('/roles', { name: 'Zacharias', permissions: ['files.read', 'members.read'] });
    const subject = newId();
    await chief.post('/members', { issuer: service.issuer.url, subject, roleId: role }).expect(201);
    await chief.put(`/members/${the('spareMember')}`, { roleId: role }).expect(200);
    await chief.delete(`/members/${the('listedMember')}`).expect(204);
    await made('/invitations', { email: 'zacharias@people.example', roleId: role });
    await chief.delete(`/invitations/${the('invitation')}`).expect(204);
    const grant = { subjectType: 'User', subjectId: the('member'), targetType: 'File', level: 'Read' };
    await made('/access-grants', { ...grant, targetId: the('file') });
    await chief.delete(`/access-grants/${the('grant')}`).expect(204);
    await made('/saved-views', { name: 'Zacharias', filter: { tagIds } });
    await chief.post('/notifications/read-all').expect(204);

    const elsewhere = await settle(await service.tenant(), people);
    const slug = `zacharias-${elsewhere.tenant.slug}`;
    await people.administrator.at(elsewhere.tenant).put('/settings/slug', { slug }).expect(200);
  }
});
