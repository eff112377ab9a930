import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import {
  GUEST_KINDS,
  type GuestFixture,
  createGuestFixture,
  hiddenIdentifiers,
  visibleIdentifier,
} from './support/guest-fixture.js';
import { populateTenant } from '../support/populated-tenant.js';
import { identifierIn } from '../support/isolation-test.js';
import {
  ConformanceClient,
  type ApiRequest,
  normalizedResponse,
  mapConcurrently,
} from '../support/conformance-client.js';
import { type TenantOperation, tenantOperations } from '../support/tenant-operations.js';

// Many requests in a case: where the machine has much else to do, they take their time.
jest.setTimeout(600_000);

/** Ways to look for what others do, beyond the parameters that name identifiers. */
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
  let client: ConformanceClient;
  let operations: readonly TenantOperation[];
  let fixture: GuestFixture;
  beforeAll(async () => {
    // Its own, because it runs all jobs: in the shared database they are those of other specs, too.
    service = await TestService.start();
    client = new ConformanceClient(service.url, service.app.getHttpServer(), service.conformance);
    operations = tenantOperations(service);
  });
  afterAll(async () => {
    client.stop();
    await service.stop();
  });

  const prepare = async () => {
    fixture = await createGuestFixture(service);
  };

  const base = () => `/api/v1/t/${fixture.home.tenant.slug}`;

  async function ask({ token }: Actor, request: Omit<ApiRequest, 'token'>, named: string[]): Promise<string> {
    const answer = await client.send({ ...request, token });
    if (answer.status >= 500) throw new Error(`${request.method} ${request.path} failed: ${answer.text}`);
    return normalizedResponse(answer, named);
  }

  /** Everything that can be read, with what each answer was. */
  async function readAll(guest: Actor): Promise<Map<string, string>> {
    const { slug } = fixture.home.tenant;
    const fill = (slot: Parameters<typeof visibleIdentifier>[0]) => visibleIdentifier(slot, fixture);
    const requests = operations
      .filter(({ method, name }) => method === 'GET' || name === 'SearchDocuments')
      .flatMap(({ templates, filterTemplates, page }) => [
        ...[...templates, ...filterTemplates].map((template) => template.build(slug, fill)),
        ...(page ? [page(slug, fill)] : []),
      ]);
    const looking = LOOKING.map((path): Omit<ApiRequest, 'token'> => ({
      method: 'GET',
      path: base() + path,
    }));
    const answers = new Map<string, string>();
    await mapConcurrently([...requests, ...looking], async (request) => {
      answers.set(`${request.method} ${request.path} ${String(request.body)}`, await ask(guest, request, []));
    });
    return answers;
  }

  describe('are told the same of what is hidden from them and of what is not there', () => {
    beforeAll(prepare);

    it.each(GUEST_KINDS)('%s', async (what) => {
      const guest = fixture.guests[what];
      const { tenant } = fixture.home;
      const before = await tenant.fingerprint();
      const places = operations.flatMap(({ name, templates, filterTemplates }) =>
        [...templates, ...filterTemplates].flatMap((template) =>
          template.slots.map((slot) => ({ name, template, slot })),
        ),
      );
      let tried = 0;
      const failures = await mapConcurrently(places, async ({ name, template, slot }) => {
        const naming = (id: string) =>
          ask(
            guest,
            template.build(tenant.slug, (one) => (one === slot ? id : visibleIdentifier(one, fixture))),
            [id],
          );
        const hidden = hiddenIdentifiers(slot, fixture);
        if (hidden.length === 0) return [];
        const [unknown, ...answers] = await Promise.all([newId(), ...hidden].map(naming));
        tried += answers.length;
        return answers
          .filter((answer) => answer !== unknown)
          .map((answer) => `${name} ${slot.field}: ${answer} instead of ${unknown}`);
      });
      expect(failures.flat()).toEqual([]);
      expect(tried).toBeGreaterThan(100);
      expect(await tenant.fingerprint()).toEqual(before);
    });
  });

  describe('when others do something of everything', () => {
    const before = new Map<string, Map<string, string>>();
    beforeAll(async () => {
      await prepare();
      for (const what of GUEST_KINDS) before.set(what, await readAll(fixture.guests[what]));
      await goOn();
    });

    it.each(GUEST_KINDS)('%s see nothing of it', async (what) => {
      const after = await readAll(fixture.guests[what]);
      expect(after.size).toBeGreaterThan(40);
      expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before.get(what) ?? []));
    });
  });

  describe('with a Write grant', () => {
    beforeEach(prepare);

    it('see of a document of theirs that is filed away from them only that it was touched', async () => {
      const { administrator, guests, home } = fixture;
      const guest = guests['with a Write grant'];
      const body = { title: 'Mein Brief', fileIds: [identifierIn(home, 'file')] };
      const { id } = (await guest.post('/documents', body).expect(201)).body as { id: string };
      const read = async () => ({
        document: { ...((await guest.get(`/documents/${id}`).expect(200)).body as object), updatedAt: '' },
        notifications: (await guest.get('/notifications').expect(200)).body as object,
      });
      const before = await read();
      const field = `/documents/${id}/files/${identifierIn(home, 'otherFile')}`;
      await administrator.put(field).expect(204);
      expect(await read()).toEqual(before);
      await administrator.delete(field).expect(204);
      expect(await read()).toEqual(before);
      expect(await home.tenant.notifications()).toHaveLength(2 + 2);
    });

    it('are not told that what they upload is there already, out of their sight', async () => {
      const { administrator, guests, home } = fixture;
      const content = { bytes: 'What others have, too', fileName: 'x.txt', mediaType: 'text/plain' };
      await upload(
        administrator,
        { title: 'Zacharias', fileIds: [identifierIn(home, 'otherFile')] },
        content,
      ).expect(201);
      const own = { title: 'Mein Brief', fileIds: [identifierIn(home, 'file')] };
      const response = await upload(guests['with a Write grant'], own, content).expect(201);
      expect((response.body as { duplicateIds: string[] }).duplicateIds).toEqual([]);
    });
  });

  /** Something of everything that the guests are not to notice. */
  async function goOn(): Promise<void> {
    const { administrator, home, users } = fixture;
    const { tenant } = home;
    const the = (name: string) => identifierIn(home, name);
    const made = async (path: string, body: object) =>
      ((await administrator.post(path, body).expect(201)).body as { id: string }).id;
    const fileId = await made('/files', {
      ...{ fileTypeId: the('fileType'), number: 'GEHEIM-1', name: 'Geheimakte Zacharias' },
    });
    const tagIds = [the('tag'), the('otherTag'), the('spareTag')];
    const document = { title: 'Abmahnung Zacharias', documentTypeId: the('documentType'), tagIds };
    const references = { akte: fileId, anlage: the('archivedDocument'), person: the('member') };
    await made('/documents', { ...document, fields: references, fileIds: [fileId] });
    // The very bytes that the guests may read.
    const bytes = `Second version in ${tenant.slug}`;
    await upload(administrator, { ...document, fileIds: [fileId] }, { bytes }).expect(201);
    await service.runJobs();

    const secret = await made('/documents', { ...document, fileIds: [the('file')], isConfidential: true });
    const path = `/documents/${secret}`;
    await administrator.put(path, { title: 'Abmahnung Zacharias II' }).expect(200);
    await administrator.put(`${path}/files/${fileId}`).expect(204);
    await administrator.put(`${path}/confidential-access/${the('member')}`).expect(204);
    await administrator.post(`${path}/archive`).expect(200);
    await administrator.delete(path).expect(204);
    await administrator.delete(`/documents/${the('secretInFile')}`).expect(204);

    await administrator.put(`/files/${the('otherFile')}`, { name: 'Zacharias' }).expect(200);
    await administrator.post(`/files/${the('otherFile')}/close`).expect(200);
    await administrator.post(`/files/${the('closedFile')}/reopen`).expect(200);
    await administrator.delete(`/files/${the('emptyFile')}`).expect(204);
    await administrator.post(`/documents/${the('archivedDocument')}/unarchive`).expect(200);
    await administrator.post(`/documents/${the('binnedDocument')}/restore`).expect(200);
    await administrator.delete(`/documents/${the('spareDocument')}`).expect(204);

    const role = await made('/roles', { name: 'Zacharias', permissions: ['files.read', 'members.read'] });
    const subject = newId();
    await administrator.post('/members', { issuer: service.issuer.url, subject, roleId: role }).expect(201);
    await administrator.put(`/members/${the('spareMember')}`, { roleId: role }).expect(200);
    await administrator.delete(`/members/${the('listedMember')}`).expect(204);
    await made('/invitations', { email: 'zacharias@people.example', roleId: role });
    await administrator.delete(`/invitations/${the('invitation')}`).expect(204);
    const grant = { subjectType: 'User', subjectId: the('member'), targetType: 'File', level: 'Read' };
    await made('/access-grants', { ...grant, targetId: the('file') });
    await administrator.delete(`/access-grants/${the('grant')}`).expect(204);
    await made('/saved-views', { name: 'Zacharias', filter: { tagIds } });
    await administrator.post('/notifications/read-all').expect(204);

    const elsewhere = await populateTenant(await service.tenant(), users);
    const slug = `zacharias-${elsewhere.tenant.slug}`;
    await users.administrator.inTenant(elsewhere.tenant).put('/settings/slug', { slug }).expect(200);
  }
});
