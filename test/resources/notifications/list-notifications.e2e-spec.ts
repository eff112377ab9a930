import { beforeEach, describe, expect, it } from '@jest/globals';
import { type NotificationResponse } from '../../../src/resources/notifications/notifications.dto.js';
import { addToList, saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { saveNotification } from '../../factories/notifications.js';
import { setMemberRole, saveRole } from '../../factories/roles.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { pagedList, readAll } from '../../support/operations/paged-list.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListNotifications', () => {
  let tenant: TestTenant;
  let reader: Actor;
  let admin: Actor;
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

  pagedList({
    actor: () => reader,
    other: () => tenant.as('guest'),
    path: '/notifications',
    otherPath: '/files',
    fill: async (where, count) => {
      const ids: string[] = [];
      const other = await where.as('editor');
      for (let n = 0; n < count; n += 1) {
        // The same time for all, so that the id decides the order.
        ids.push(await saveNotification(where, reader, { createdAt: '2026-01-01T12:00:00Z' }));
        await saveNotification(where, other);
      }
      return ids.sort().reverse();
    },
  });

  it('returns 200 to a member without any permission', async () => {
    const member = await tenant.with();
    const id = await saveNotification(tenant, member);
    expect((await list(member)).map((notification) => notification.id)).toEqual([id]);
  });

  it('returns 200 with exactly these members, newest first, and marks none as read', async () => {
    const old = await saveNotification(tenant, reader, {
      createdAt: '2026-01-01T12:00:00Z',
      readAt: '2026-01-02T12:00:00.120Z',
    });
    const file = await saveFile(tenant, reader, { number: 'AZ-1', name: 'Feuerwache' });
    await admin.post(`/files/${file.id}/close`).expect(200);
    const response = await tenant.expectNoChange(() => reader.get('/notifications'));

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
  });

  describe('with unreadOnly', () => {
    it('returns 200 with unread notifications for true, page by page, and with all for false', async () => {
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

    it('returns 200 without gaps or repetitions when notifications are read and added between pages', async () => {
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

    it.each(['', 'TRUE', 'True', '1', '0', 'yes', 'null', 'true%20'])('returns 400 for %j', async (value) =>
      expectProblem(await reader.get(`/notifications?unreadOnly=${value}`), 'request.invalid', [
        'unreadOnly',
      ]),
    );

    it('returns 400 for a repeated parameter, together with the other errors', async () => {
      const query = '?unreadOnly=true&unreadOnly=true&limit=0&cursor=';
      expectProblem(await reader.get(`/notifications${query}`), 'request.invalid', [
        'cursor',
        'limit',
        'unreadOnly',
      ]);
    });

    it('returns 400 for a cursor of the list with the other value; false equals an absent parameter', async () => {
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

  describe('without notifications about what the reader cannot see', () => {
    const role = async (actor: Actor, ...permissions: Parameters<typeof saveRole>[1]) =>
      setMemberRole(tenant, actor, (await saveRole(tenant, permissions)).id);
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

    it('returns 200 without those about a file until the reader sees it again', async () => {
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

    it('returns 200 without those about a deleted file', async () => {
      const file = await saveFile(tenant, reader);
      await admin.post(`/files/${file.id}/close`).expect(200);
      await admin.post(`/files/${file.id}/reopen`).expect(200);
      await admin.delete(`/files/${file.id}`).expect(204);
      expect(await types()).toEqual([]);
    });

    describe('about documents', () => {
      let file: { id: string };
      let document: { id: string };
      beforeEach(async () => {
        file = await saveFile(tenant, admin);
        document = await saveDocument(tenant, reader);
        await admin.put(`/documents/${document.id}/files/${file.id}`).expect(204);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('returns 200 without a document that has become confidential to others', async () => {
        await confidentialTo(document.id, admin);
        expect(await types()).toEqual([]);
        await confidentialTo(document.id, reader);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('returns 200 without a document when the reader lacks documents.read', async () => {
        await role(reader, 'files.read', 'documents.update');
        expect(await types()).toEqual([]);
      });

      it('returns 200 without a visible document in a file that the reader cannot see', async () => {
        await role(reader, 'documents.read');
        expect((await reader.get(`/documents/${document.id}`)).status).toBe(200);
        expect(await types()).toEqual([]);
      });

      it('returns 200 without a document that was removed from a deleted file', async () => {
        await admin.delete(`/documents/${document.id}/files/${file.id}`).expect(204);
        expect(await types()).toEqual(['DocumentUnfiled', 'DocumentFiled']);
        await admin.delete(`/files/${file.id}`).expect(204);
        expect(await types()).toEqual([]);
      });

      it('returns 200 without a document in the bin that the reader cannot see', async () => {
        await admin.delete(`/documents/${document.id}`).expect(204);
        expect(await types()).toEqual(['DocumentFiled']);
        await role(reader, 'files.read', 'documents.read');
        expect(await types()).toEqual([]);
        await admin.post(`/documents/${document.id}/restore`).expect(200);
        expect(await types()).toEqual(['DocumentFiled']);
      });

      it('returns 200 without a purged document', async () => {
        await service.query('DELETE FROM documents WHERE id = $1', [document.id]);
        expect(await types()).toEqual([]);
      });
    });

    it('returns 200 with confidential access only while the reader has it, and with its end', async () => {
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

    it('returns 200 with confidential access only to members with documents.read', async () => {
      const [guest, auditor] = [await tenant.as('guest'), await tenant.as('auditor')];
      const { id } = await saveDocument(tenant, admin, { confidentialTo: [admin] });
      for (const { userId } of [guest, auditor])
        await admin.put(`/documents/${id}/confidential-access/${userId}`).expect(204);
      expect(await types(guest)).toEqual(['ConfidentialAccessGranted']);
      expect(await types(auditor)).toEqual([]);
    });

    it('returns 200 with a grant only while it is active, and with its revocation', async () => {
      const guest = await tenant.as('guest');
      const [one, two] = [await saveFile(tenant, admin), await saveFile(tenant, admin)];
      const revoked = await grant(guest, { targetType: 'File', targetId: one.id });
      const expired = await grant(guest, { targetType: 'File', targetId: two.id }, 'Write');
      expect(await types(guest)).toEqual(['AccessGranted', 'AccessGranted']);
      await admin.delete(`/access-grants/${revoked}`).expect(204);
      expect(await types(guest)).toEqual(['AccessRevoked', 'AccessGranted']);
      await service.query(`UPDATE access_grants SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        expired,
      ]);
      expect(await types(guest)).toEqual(['AccessRevoked']);
    });

    it('returns 200 with an ended grant on a file type only to readers who can see file types', async () => {
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

    it('returns 200 with full pages', async () => {
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

  it('returns 200 without notifications of other users and tenants', async () => {
    const elsewhere = await service.tenant();
    const there = await elsewhere.addMember(reader, 'editor');
    const [here, abroad] = [await saveNotification(tenant, reader), await saveNotification(elsewhere, there)];
    await saveNotification(tenant, admin);
    expect((await list()).map(({ id }) => id)).toEqual([here]);
    expect((await list(there)).map(({ id }) => id)).toEqual([abroad]);
  });
});
