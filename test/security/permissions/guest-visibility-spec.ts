import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { upload } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
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

// Each test sends many requests, which take minutes on a busy machine.
jest.setTimeout(600_000);

/** In `npm test`, the kind that may do most. */
const KINDS = sized<readonly (typeof GUEST_KINDS)[number][]>(['with a Write grant'], GUEST_KINDS);

/** Searches and filters beyond the parameters that take ids. */
const SEARCH_PATHS: readonly string[] = [
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
 * A guest is an external user with access to one file. Guests must not notice anything else in the tenant: other files,
 * documents, members, roles, grants of others, which tags are in use. Nor must they notice anything of other tenants.
 */
describe('Guests', () => {
  let service: TestService;
  let client: ConformanceClient;
  let operations: readonly TenantOperation[];
  let fixture: GuestFixture;
  beforeAll(async () => {
    // A service of its own, because it runs all jobs: in the shared database, that includes jobs of other specs.
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

  const base = () => `/api/v1/t/${fixture.populated.tenant.slug}`;

  async function send(
    { token }: Actor,
    request: Omit<ApiRequest, 'token'>,
    named: string[],
  ): Promise<string> {
    const answer = await client.send({ ...request, token });
    if (answer.status >= 500) throw new Error(`${request.method} ${request.path} failed: ${answer.text}`);
    return normalizedResponse(answer, named);
  }

  /** The responses to all read requests, by method, path and body. */
  async function readAll(guest: Actor): Promise<Map<string, string>> {
    const { slug } = fixture.populated.tenant;
    const fill = (slot: Parameters<typeof visibleIdentifier>[0]) => visibleIdentifier(slot, fixture);
    const requests = operations
      .filter(({ method, name }) => method === 'GET' || name === 'SearchDocuments')
      .flatMap(({ templates, filterTemplates, page }) => [
        ...[...templates, ...filterTemplates].map((template) => template.build(slug, fill)),
        ...(page ? [page(slug, fill)] : []),
      ]);
    const searches = SEARCH_PATHS.map((path): Omit<ApiRequest, 'token'> => ({
      method: 'GET',
      path: base() + path,
    }));
    const answers = new Map<string, string>();
    await mapConcurrently([...requests, ...searches], async (request) => {
      answers.set(
        `${request.method} ${request.path} ${String(request.body)}`,
        await send(guest, request, []),
      );
    });
    return answers;
  }

  describe('get the same response for hidden and for unknown ids', () => {
    beforeAll(prepare);

    it.each(KINDS)('%s', async (what) => {
      const guest = fixture.guests[what];
      const { tenant } = fixture.populated;
      const before = await tenant.fingerprint();
      const places = operations.flatMap(({ name, templates, filterTemplates }) =>
        [...templates, ...filterTemplates].flatMap((template) =>
          template.slots.map((slot) => ({ name, template, slot })),
        ),
      );
      let compared = 0;
      const failures = await mapConcurrently(places, async ({ name, template, slot }) => {
        const responseFor = (id: string) =>
          send(
            guest,
            template.build(tenant.slug, (one) => (one === slot ? id : visibleIdentifier(one, fixture))),
            [id],
          );
        const hidden = hiddenIdentifiers(slot, fixture);
        if (hidden.length === 0) return [];
        const [unknown, ...answers] = await Promise.all([newId(), ...hidden].map(responseFor));
        compared += answers.length;
        return answers
          .filter((answer) => answer !== unknown)
          .map((answer) => `${name} ${slot.field}: ${answer} instead of ${unknown}`);
      });
      expect(failures.flat()).toEqual([]);
      expect(compared).toBeGreaterThan(100);
      expect(await tenant.fingerprint()).toEqual(before);
    });
  });

  describe('when other users change everything that is hidden from guests', () => {
    const before = new Map<string, Map<string, string>>();
    beforeAll(async () => {
      await prepare();
      for (const what of KINDS) before.set(what, await readAll(fixture.guests[what]));
      await changeEverything();
    });

    it.each(KINDS)('%s read the same as before', async (what) => {
      const after = await readAll(fixture.guests[what]);
      expect(after.size).toBeGreaterThan(40);
      expect(Object.fromEntries(after)).toEqual(Object.fromEntries(before.get(what) ?? []));
    });
  });

  describe('with a Write grant', () => {
    beforeEach(prepare);

    it('notice only a new updatedAt when their document is added to a hidden file', async () => {
      const { administrator, guests, populated } = fixture;
      const guest = guests['with a Write grant'];
      const body = { title: 'Mein Brief', fileIds: [identifierIn(populated, 'file')] };
      const { id } = (await guest.post('/documents', body).expect(201)).body as { id: string };
      const read = async () => ({
        document: { ...((await guest.get(`/documents/${id}`).expect(200)).body as object), updatedAt: '' },
        notifications: (await guest.get('/notifications').expect(200)).body as object,
      });
      const before = await read();
      const field = `/documents/${id}/files/${identifierIn(populated, 'otherFile')}`;
      await administrator.put(field).expect(204);
      expect(await read()).toEqual(before);
      await administrator.delete(field).expect(204);
      expect(await read()).toEqual(before);
      expect(await populated.tenant.notifications()).toHaveLength(2 + 2);
    });

    it('get no duplicateIds of hidden documents with the same content', async () => {
      const { administrator, guests, populated } = fixture;
      const content = { bytes: 'What others have, too', fileName: 'x.txt', mediaType: 'text/plain' };
      await upload(
        administrator,
        { title: 'Zacharias', fileIds: [identifierIn(populated, 'otherFile')] },
        content,
      ).expect(201);
      const own = { title: 'Mein Brief', fileIds: [identifierIn(populated, 'file')] };
      const response = await upload(guests['with a Write grant'], own, content).expect(201);
      expect((response.body as { duplicateIds: string[] }).duplicateIds).toEqual([]);
    });
  });

  /** Makes a change of every kind that guests must not notice. */
  async function changeEverything(): Promise<void> {
    const { administrator, populated, users } = fixture;
    const { tenant } = populated;
    const idOf = (name: string) => identifierIn(populated, name);
    const createId = async (path: string, body: object) =>
      ((await administrator.post(path, body).expect(201)).body as { id: string }).id;
    const fileId = await createId('/files', {
      ...{ fileTypeId: idOf('fileType'), number: 'GEHEIM-1', name: 'Geheimakte Zacharias' },
    });
    const tagIds = [idOf('tag'), idOf('otherTag'), idOf('spareTag')];
    const document = { title: 'Abmahnung Zacharias', documentTypeId: idOf('documentType'), tagIds };
    const references = { akte: fileId, anlage: idOf('archivedDocument'), person: idOf('member') };
    await createId('/documents', { ...document, fields: references, fileIds: [fileId] });
    // The same bytes as a document that the guests may read.
    const bytes = `Second version in ${tenant.slug}`;
    await upload(administrator, { ...document, fileIds: [fileId] }, { bytes }).expect(201);
    await service.runJobs();

    const secret = await createId('/documents', {
      ...document,
      fileIds: [idOf('file')],
      isConfidential: true,
    });
    const path = `/documents/${secret}`;
    await administrator.put(path, { title: 'Abmahnung Zacharias II' }).expect(200);
    await administrator.put(`${path}/files/${fileId}`).expect(204);
    await administrator.put(`${path}/confidential-access/${idOf('member')}`).expect(204);
    await administrator.post(`${path}/archive`).expect(200);
    await administrator.delete(path).expect(204);
    await administrator.delete(`/documents/${idOf('secretInFile')}`).expect(204);

    await administrator.put(`/files/${idOf('otherFile')}`, { name: 'Zacharias' }).expect(200);
    await administrator.post(`/files/${idOf('otherFile')}/close`).expect(200);
    await administrator.post(`/files/${idOf('closedFile')}/reopen`).expect(200);
    await administrator.delete(`/files/${idOf('emptyFile')}`).expect(204);
    await administrator.post(`/documents/${idOf('archivedDocument')}/unarchive`).expect(200);
    await administrator.post(`/documents/${idOf('binnedDocument')}/restore`).expect(200);
    await administrator.delete(`/documents/${idOf('spareDocument')}`).expect(204);

    const role = await createId('/roles', { name: 'Zacharias', permissions: ['files.read', 'members.read'] });
    const subject = newId();
    await administrator.post('/members', { issuer: service.issuer.url, subject, roleId: role }).expect(201);
    await administrator.put(`/members/${idOf('spareMember')}`, { roleId: role }).expect(200);
    await administrator.delete(`/members/${idOf('listedMember')}`).expect(204);
    await createId('/invitations', { email: 'zacharias@people.example', roleId: role });
    await administrator.delete(`/invitations/${idOf('invitation')}`).expect(204);
    const grant = { subjectType: 'User', subjectId: idOf('member'), targetType: 'File', level: 'Read' };
    await createId('/access-grants', { ...grant, targetId: idOf('file') });
    await administrator.delete(`/access-grants/${idOf('grant')}`).expect(204);
    await createId('/saved-views', { name: 'Zacharias', filter: { tagIds } });
    await administrator.post('/notifications/read-all').expect(204);

    const otherTenant = await populateTenant(await service.tenant(), users);
    const slug = `zacharias-${otherTenant.tenant.slug}`;
    await users.administrator.inTenant(otherTenant.tenant).put('/settings/slug', { slug }).expect(200);
  }
});
