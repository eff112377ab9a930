import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type NotificationResponse } from '../../../src/resources/notifications/notifications.dto.js';
import { addToList, saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { giveRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { everyOperation } from '../../support/operations/every-operation.js';
import { expectProblem } from '../../support/expect-problem.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListNotifications', () => {
  let service: TestService;
  let tenant: TestTenant;
  let reader: Actor;
  let admin: Actor;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    tenant = await service.tenant();
    reader = await tenant.as('editor', 'Edda Editor');
    admin = await tenant.as('administrator', 'Ada Admin');
  });

  async function list(actor = reader, query = ''): Promise<NotificationResponse[]> {
    const response = await actor.get(`/notifications${query}`);
    expect(response.status).toBe(200);
    return (response.body as { items: NotificationResponse[] }).items;
  }
  const types = async (actor = reader) => (await list(actor)).map(({ type }) => type);

  everyOperation({
    service: () => service,
    tenant: () => tenant,
    permitted: () => reader,
    permission: null,
    send: (actor) => actor.get('/notifications'),
  });

  pagedList({
    tenant: () => tenant,
    actor: () => reader,
    other: () => tenant.as('guest'),
    path: '/notifications',
    otherPath: '/files',
    fill: async (where, count) => {
      const ids: string[] = [];
      const other = await where.as('editor');
      for (let n = 0; n < count; n += 1) {
        // Of one moment, so that the id decides.
        ids.push(await saveNotification(where, reader, { createdAt: '2026-01-01T12:00:00Z' }));
        await saveNotification(where, other);
      }
      return ids.sort().reverse();
    },
  });

  it('200: to a member without any permission', async () => {
    const member = await tenant.with();
    const id = await saveNotification(tenant, member);
    expect((await list(member)).map((notification) => notification.id)).toEqual([id]);
  });

  it('200: newest first, with exactly these members; listing reads none of them, and writes nothing', async () => {
    const old = await saveNotification(tenant, reader, {
      createdAt: '2026-01-01T12:00:00Z',
      readAt: '2026-01-02T12:00:00.120Z',
    });
    const file = await saveFile(tenant, reader, { number: 'AZ-1', name: 'Feuerwache' });
    await admin.post(`/files/${file.id}/close`).expect(200);
    const before = await tenant.fingerprint();

    const response = await reader.get('/notifications');

    expect([response.status, response.body, response.headers.etag]).toEqual([
      200,
      {
        items: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            type: 'FileClosed',
            parameters: {
              fileId: file.id,
              fileNumber: 'AZ-1',
              fileName: 'Feuerwache',
              actorName: 'Ada Admin',
            },
            createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
            readAt: null,
          },
          {
            id: old,
            type: 'RoleChanged',
            parameters: expect.objectContaining({ roleName: 'Editor' }),
            createdAt: '2026-01-01T12:00:00.000Z',
            readAt: '2026-01-02T12:00:00.120Z',
          },
        ],
        nextCursor: null,
      },
      undefined,
    ]);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  describe('unreadOnly', () => {
    it('200: true shows those that have not been read, page after page; false shows all', async () => {
      const unread: string[] = [];
      for (const second of ['01', '02', '03', '04', '05', '06']) {
        const createdAt = `2026-01-01T12:00:${second}Z`;
        if (Number(second) % 2) unread.unshift(await saveNotification(tenant, reader, { createdAt }));
        else await saveNotification(tenant, reader, { createdAt, readAt: '2026-01-02T12:00:00Z' });
      }
      for (const limit of [1, 2, 50]) {
        const items = await readAll(reader, '/notifications?unreadOnly=true', limit);
        expect(items.map(({ id }) => id)).toEqual(unread);
      }
      for (const query of ['', '?unreadOnly=false']) expect(await list(reader, query)).toHaveLength(6);
    });

    it('200: goes on where it was, whatever is read and whatever comes meanwhile', async () => {
      const ids: string[] = [];
      for (const second of ['05', '04', '03', '02', '01'])
        ids.push(await saveNotification(tenant, reader, { createdAt: `2026-01-01T12:00:${second}Z` }));
      const page = async (cursor = '') =>
        (await reader.get(`/notifications?unreadOnly=true&limit=2${cursor && `&cursor=${cursor}`}`)).body as {
          items: { id: string }[];
          nextCursor: string;
        };
      const first = await page();
      await reader.post(`/notifications/${ids[1]}/read`).expect(204);
      await saveNotification(tenant, reader);
      const second = await page(first.nextCursor);
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.slice(0, 4));
    });

    it.each(['', 'TRUE', 'True', '1', '0', 'yes', 'null', 'true%20'])('400: %j', async (value) =>
      expectProblem(await reader.get(`/notifications?unreadOnly=${value}`), 'request.invalid', [
        'unreadOnly',
      ]),
    );

    it('400: given twice, together with the other faults', async () => {
      const query = '?unreadOnly=true&unreadOnly=true&limit=0&cursor=';
      expectProblem(await reader.get(`/notifications${query}`), 'request.invalid', [
        'cursor',
        'limit',
        'unreadOnly',
      ]);
    });

    it('400: a cursor of the list with the other filter; false is the same as none', async () => {
      for (let n = 0; n < 2; n += 1) await saveNotification(tenant, reader);
      const response = await reader.get('/notifications?limit=1');
      const { nextCursor } = response.body as { nextCursor: string };
      expectProblem(
        await reader.get(`/notifications?limit=1&unreadOnly=true&cursor=${nextCursor}`),
        'request.invalid',
        ['cursor'],
      );
      const { status } = await reader.get(`/notifications?limit=1&unreadOnly=false&cursor=${nextCursor}`);
      expect(status).toBe(200);
    });
  });

  describe('withholds what is about something that its reader can no longer see', () => {
    const role = async (actor: Actor, ...permissions: Parameters<typeof saveRole>[1]) =>
      giveRole(tenant, actor, (await saveRole(tenant, permissions)).id);
    const grant = async (
      subject: Actor,
      target: { targetType: string; targetId: string },
      level = 'Read',
    ) => {
      const body = { subjectType: 'User', subjectId: subject.userId, level, ...target };
      return ((await admin.post('/access-grants', body).expect(201)).body as { id: string }).id;
    };
    const confidentialTo = async (id: string, ...users: Actor[]) => {
      await addToList(tenant, id, ...users);
      await service.query('UPDATE documents SET is_confidential = true WHERE id = $1', [id]);
    };

    it('200: files, until they are seen again', async () => {
      const file = await saveFile(tenant, reader);
      await admin.post(`/files/${file.id}/close`).expect(200);
      await admin.post(`/files/${file.id}/reopen`).expect(200);
      expect(await types()).toEqual(['FileReopened', 'FileClosed']);
      await role(reader, 'documents.read', 'tags.read');
      expect(await types()).toEqual([]);
      const id = await grant(reader, { targetType: 'File', targetId: file.id });
      expect(await types()).toEqual(['AccessGranted', 'FileReopened', 'FileClosed']);
      await admin.delete(`/access-grants/${id}`).expect(204);
      expect(await types()).toEqual(['AccessRevoked']);
      await role(reader, 'files.read');
      expect(await types()).toEqual(['AccessRevoked', 'AccessGranted', 'FileReopened', 'FileClosed']);
    });

    it('200: files that are gone', async () => {
      const file = await saveFile(tenant, reader);
      await admin.post(`/files/${file.id}/close`).expect(200);
      await admin.post(`/files/${file.id}/reopen`).expect(200);
      await admin.delete(`/files/${file.id}`).expect(204);
      expect(await types()).toEqual([]);
    });

    describe('documents', () => {
      let file: { id: string };
      let document: { id: string };
      beforeEach(async () => {
        file = await saveFile(tenant, admin);
        document = await saveDocument(tenant, reader);
        await admin.put(`/documents/${document.id}/files/${file.id}`).expect(204);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('200: that have become confidential to others', async () => {
        await confidentialTo(document.id, admin);
        expect(await types()).toEqual([]);
        await confidentialTo(document.id, reader);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('200: without documents.read', async () => {
        await role(reader, 'files.read', 'documents.update');
        expect(await types()).toEqual([]);
      });

      it('200: in a file that is not seen, though they are', async () => {
        await role(reader, 'documents.read');
        expect((await reader.get(`/documents/${document.id}`)).status).toBe(200);
        expect(await types()).toEqual([]);
      });

      it('200: taken out of a file that is gone', async () => {
        await admin.delete(`/documents/${document.id}/files/${file.id}`).expect(204);
        expect(await types()).toEqual(['DocumentUnfiled', 'DocumentFiled']);
        await admin.delete(`/files/${file.id}`).expect(204);
        expect(await types()).toEqual([]);
      });

      it('200: in the bin, for those who cannot read what is there', async () => {
        await admin.delete(`/documents/${document.id}`).expect(204);
        expect(await types()).toEqual(['DocumentFiled']);
        await role(reader, 'files.read', 'documents.read');
        expect(await types()).toEqual([]);
        await admin.post(`/documents/${document.id}/restore`).expect(200);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('200: purged ones', async () => {
        await service.query('DELETE FROM documents WHERE id = $1', [document.id]);
        expect(await types()).toEqual([]);
      });
    });

    it('200: places on the list of a confidential document, but not that they were taken away', async () => {
      const { id } = await saveDocument(tenant, admin, { confidentialTo: [admin] });
      const other = await tenant.as('records_manager');
      const place = `/documents/${id}/confidential-access`;
      await admin.put(`${place}/${reader.userId}`).expect(204);
      await other.put(`${place}/${other.userId}`).expect(204);
      expect(await types()).toEqual(['ConfidentialUserAdded', 'ConfidentialAccessGranted']);
      await admin.delete(`${place}/${reader.userId}`).expect(204);
      expect(await types()).toEqual(['ConfidentialAccessRevoked']);
      expect(await types(admin)).toEqual(['ConfidentialUserAdded']);
      await admin.put(`${place}/${reader.userId}`).expect(204);
      expect(await types()).toEqual([
        'ConfidentialAccessGranted',
        'ConfidentialAccessRevoked',
        'ConfidentialUserAdded',
        'ConfidentialAccessGranted',
      ]);
    });

    it('200: a place on a list, with documents.read only', async () => {
      const [guest, auditor] = [await tenant.as('guest'), await tenant.as('auditor')];
      const { id } = await saveDocument(tenant, admin, { confidentialTo: [admin] });
      for (const { userId } of [guest, auditor])
        await admin.put(`/documents/${id}/confidential-access/${userId}`).expect(204);
      expect(await types(guest)).toEqual(['ConfidentialAccessGranted']);
      expect(await types(auditor)).toEqual([]);
    });

    it('200: grants that have ended, but not that they were revoked', async () => {
      const guest = await tenant.as('guest');
      const [one, two] = [await saveFile(tenant, admin), await saveFile(tenant, admin)];
      const revoked = await grant(guest, { targetType: 'File', targetId: one.id });
      const expired = await grant(guest, { targetType: 'File', targetId: two.id }, 'Write');
      expect(await types(guest)).toEqual(['AccessGranted', 'AccessGranted']);
      await admin.delete(`/access-grants/${revoked}`).expect(204);
      expect(await types(guest)).toEqual(['AccessRevoked', 'AccessGranted']);
      await service.query('UPDATE access_grants SET expires_at = now() WHERE id = $1', [expired]);
      expect(await types(guest)).toEqual(['AccessRevoked']);
    });

    it('200: grants on the files of a type, unless the type is seen anyway', async () => {
      const target = { targetType: 'FileType', targetId: (await saveFile(tenant, admin)).fileTypeId };
      const [guest, blind, clerk] = [
        await tenant.as('guest'),
        await tenant.with(),
        await tenant.as('editor'),
      ];
      await role(clerk, 'files.read');
      for (const actor of [guest, blind, clerk]) {
        const id = await grant(actor, target);
        expect(await types(actor)).toEqual(['AccessGranted']);
        await admin.delete(`/access-grants/${id}`).expect(204);
      }
      expect(await types(guest)).toEqual(['AccessRevoked', 'AccessGranted']);
      expect(await types(clerk)).toEqual(['AccessRevoked', 'AccessGranted']);
      expect(await types(blind)).toEqual(['AccessRevoked']);
    });

    it('200: in pages that are full nevertheless', async () => {
      const [seen, unseen] = [await saveFile(tenant, reader), await saveFile(tenant, reader)];
      for (let n = 0; n < 3; n += 1) {
        for (const { id } of [unseen, seen, unseen]) {
          await admin.post(`/files/${id}/close`).expect(200);
          await admin.post(`/files/${id}/reopen`).expect(200);
        }
      }
      await role(reader);
      const expected = await grant(reader, { targetType: 'File', targetId: seen.id }).then(() => types());
      expect(expected).toEqual([
        'AccessGranted',
        ...Array<string[]>(3).fill(['FileReopened', 'FileClosed']).flat(),
      ]);
      expect(await readAll(reader, '/notifications', 2)).toHaveLength(7);
    });
  });

  it('200: of others, nothing; of other tenants, nothing', async () => {
    const elsewhere = await service.tenant();
    const there = await elsewhere.admit(reader, 'editor');
    const [here, abroad] = [await saveNotification(tenant, reader), await saveNotification(elsewhere, there)];
    await saveNotification(tenant, admin);
    expect((await list()).map(({ id }) => id)).toEqual([here]);
    expect((await list(there)).map(({ id }) => id)).toEqual([abroad]);
  });
});
