import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument, saveTag } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { type Actor } from '../../../support/actor.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { countRoundTrips } from '../../../support/round-trips.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { doneResult, resultsOf } from './bulk-results.js';

describe('BulkChangeDocuments', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let creator: Actor;
  let tag: { id: string; name: string };
  let file: { id: string; number: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Mara Manager');
    creator = await tenant.as('editor', 'Edda Editor');
    tag = await saveTag(tenant, 'dringend');
    file = await saveFile(tenant, creator, { number: 'AZ-1', name: 'Feuerwache' });
  });

  const change = (body: object, actor = manager) => actor.post('/documents/bulk', body);
  const make = (overrides: Parameters<typeof saveDocument>[2] = {}) =>
    saveDocument(tenant, creator, overrides);
  const makeMany = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await make()).id));
  const unchangedResult = (documentId: string) => ({ documentId, outcome: 'Unchanged', problem: null });

  describe('200', () => {
    it('returns 200 with a result for each document, in the order of the request', async () => {
      const [plain, tagged, archived] = [
        await make({ title: 'Bauplan' }),
        await make({ tagIds: [tag.id] }),
        await make({ status: 'Archived' }),
      ];
      const unknown = randomUUID();
      const documentIds = [unknown, tagged.id, archived.id, plain.id];

      const response = await change({ action: 'Tag', documentIds, tagIds: [tag.id] });

      expect([response.status, response.body]).toEqual([
        200,
        {
          results: [
            {
              documentId: unknown,
              outcome: 'Refused',
              problem: {
                type: '/problems/resource.not-found',
                title: 'Not found',
                status: 404,
                detail: 'Not found, or not visible to you.',
              },
            },
            unchangedResult(tagged.id),
            {
              documentId: archived.id,
              outcome: 'Refused',
              problem: {
                type: '/problems/document.archived',
                title: 'Document archived',
                status: 409,
                detail: 'An archived document cannot be edited or tagged.',
              },
            },
            doneResult(plain.id),
          ],
        },
      ]);
      expect(await tenant.audit()).toEqual([
        manager.entry('DocumentTagged', 'Document', plain.id, 'Bauplan: dringend'),
      ]);
      expect(await tenant.notifications()).toEqual([]);
    });

    it('returns 200 and adds every tag to every document, with an audit entry for each new one', async () => {
      const other = await saveTag(tenant, 'vertraulich');
      const [one, two] = [await make({ title: 'Eins' }), await make({ title: 'Zwei', tagIds: [other.id] })];
      const response = await change({
        action: 'Tag',
        documentIds: [two.id, one.id],
        tagIds: [other.id, tag.id],
      });
      expect(resultsOf(response)).toEqual([doneResult(two.id), doneResult(one.id)]);
      for (const { id } of [one, two])
        expect((await manager.get(`/documents/${id}`)).body).toMatchObject({
          tagIds: [tag.id, other.id].sort(),
        });
      expect((await tenant.audit()).map(({ summary }) => summary)).toEqual([
        'Zwei: dringend',
        'Eins: dringend',
        'Eins: vertraulich',
      ]);
    });

    it('returns 200 and adds the document to every file, notifying the creator of each new one', async () => {
      const other = await saveFile(tenant, creator, { number: 'AZ-2', name: 'Rathaus' });
      const { id } = await make({ title: 'Bauplan', fileIds: [file.id] });
      const response = await change({ action: 'File', documentIds: [id], fileIds: [file.id, other.id] });
      expect(resultsOf(response)).toEqual([doneResult(id)]);
      expect((await manager.get(`/documents/${id}`)).body).toMatchObject({
        fileIds: [file.id, other.id].sort(),
      });
      expect((await tenant.audit()).map(({ action, summary }) => [action, summary])).toEqual([
        ['DocumentFiled', 'Bauplan → AZ-2: Rathaus'],
      ]);
      expect(await tenant.notifications()).toEqual([
        {
          user_id: creator.userId,
          type: 'DocumentFiled',
          parameters: {
            documentId: id,
            documentTitle: 'Bauplan',
            fileId: other.id,
            fileNumber: 'AZ-2',
            fileName: 'Rathaus',
            actorName: 'Mara Manager',
          },
        },
      ]);
    });

    it('returns 200 with problems in the language of Accept-Language', async () => {
      const { id } = await make({ status: 'Archived' });
      const response = await change({ action: 'Archive', documentIds: [id] }).set('Accept-Language', 'de');
      expect(resultsOf(response)).toMatchObject([
        { problem: { title: 'Dokument archiviert', detail: 'Das Dokument ist bereits archiviert.' } },
      ]);
    });

    it('returns 200 and leaves a document unchanged when one of the files is Closed', async () => {
      const closed = await saveFile(tenant, creator, { status: 'Closed' });
      const { id } = await make();
      const before = await tenant.fingerprint();
      const response = await change({ action: 'File', documentIds: [id], fileIds: [file.id, closed.id] });
      expect(resultsOf(response)).toMatchObject([
        { documentId: id, outcome: 'Refused', problem: { type: '/problems/file.closed', status: 409 } },
      ]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 and removes existing tags; Unchanged without any, but checks the status first', async () => {
      const other = await saveTag(tenant);
      const [one, none, archived] = [
        await make({ tagIds: [tag.id] }),
        await make(),
        await make({ status: 'Archived' }),
      ];
      const documentIds = [one.id, none.id, archived.id];
      const response = await change({ action: 'Untag', documentIds, tagIds: [tag.id, other.id] });
      expect(resultsOf(response)).toMatchObject([
        doneResult(one.id),
        unchangedResult(none.id),
        { outcome: 'Refused', problem: { type: '/problems/document.archived' } },
      ]);
      expect(await tenant.audit()).toHaveLength(1);
    });

    it('returns 200 and removes the document from files; Unchanged when it is in none', async () => {
      const [one, none] = [await make({ fileIds: [file.id] }), await make()];
      const response = await change({ action: 'Unfile', documentIds: [one.id, none.id], fileIds: [file.id] });
      expect(resultsOf(response)).toEqual([doneResult(one.id), unchangedResult(none.id)]);
      expect((await tenant.audit()).map(({ action }) => action)).toEqual(['DocumentUnfiled']);
    });

    it('returns 200 and writes nothing when nothing changes', async () => {
      const { id } = await make({ tagIds: [tag.id], fileIds: [file.id] });
      const before = await tenant.fingerprint();
      expect(resultsOf(await change({ action: 'Tag', documentIds: [id], tagIds: [tag.id] }))).toEqual([
        unchangedResult(id),
      ]);
      expect(resultsOf(await change({ action: 'File', documentIds: [id], fileIds: [file.id] }))).toEqual([
        unchangedResult(id),
      ]);
      expect(await tenant.fingerprint()).toEqual(before);
    });

    it('returns 200 with as many database round trips for 500 documents as for two', async () => {
      const roundTrips = async (count: number) => {
        const documentIds = await makeMany(count);
        return countRoundTrips(manager.userId, async () => {
          const response = await change({ action: 'Tag', documentIds, tagIds: [tag.id] });
          expect(resultsOf(response)).toEqual(documentIds.map(doneResult));
        });
      };
      await roundTrips(1);
      const expected = await roundTrips(2);
      expect(expected).toBeGreaterThan(2);
      expect(await roundTrips(500)).toBe(expected);
      expect(await tenant.audit()).toHaveLength(503);
    });
  });

  describe('403', () => {
    it('returns 403 for a caller with only a Read grant', async () => {
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id });
      const { id } = await make({ fileIds: [file.id] });
      await expectRefused(
        tenant,
        change({ action: 'Tag', documentIds: [id], tagIds: [tag.id] }, guest),
        'permission.missing',
      );
    });

    it.each([
      ['Tag', 'documents.update'],
      ['Untag', 'documents.update'],
      ['File', 'documents.file'],
      ['Unfile', 'documents.file'],
      ['Archive', 'documents.archive'],
      ['Unarchive', 'documents.archive'],
      ['Delete', 'documents.delete'],
      ['Restore', 'documents.restore'],
    ] as const)('returns 403 for %s without %s', async (action, permission) => {
      const others = (['update', 'file', 'archive', 'delete', 'restore'] as const)
        .map((verb) => `documents.${verb}` as const)
        .filter((other) => other !== permission);
      const member = await tenant.with('documents.read', 'files.read', ...others);
      const holder = await tenant.with('documents.read', 'files.read', permission);
      const { id } = await make({ tagIds: [tag.id], fileIds: [file.id] });
      const body = {
        action,
        documentIds: [id],
        ...(permission === 'documents.update' && { tagIds: [tag.id] }),
        ...(permission === 'documents.file' && { fileIds: [file.id] }),
      };
      await expectRefused(tenant, change(body, member), 'permission.missing');
      expect((await change(body, holder)).status).toBe(200);
    });

    it('returns 403 when Write grants cover only some of the files', async () => {
      const guest = await tenant.as('guest');
      const other = await saveFile(tenant, creator);
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      await saveAccessGrant(tenant, guest, { file: other.id });
      const { id } = await make({ fileIds: [file.id] });
      const body = { action: 'Unfile', documentIds: [id] };
      await expectRefused(
        tenant,
        change({ ...body, fileIds: [file.id, other.id] }, guest),
        'permission.missing',
      );
      expect(resultsOf(await change({ ...body, fileIds: [file.id] }, guest))).toEqual([doneResult(id)]);
    });

    it('returns 403 only after checking the ids in the body (400)', async () => {
      const member = await tenant.with('documents.archive');
      const body = { action: 'Tag', documentIds: [randomUUID()], tagIds: [randomUUID()] };
      await expectRefused(tenant, change(body, member), 'request.invalid', ['tagIds[0]']);
    });
  });

  describe('400', () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
    it.each<[string, object, string[]]>([
      ['an empty body', {}, ['action', 'documentIds']],
      ['an unknown action', { action: 'Purge', documentIds: [one] }, ['action']],
      ['no documents', { action: 'Archive', documentIds: [] }, ['documentIds']],
      ['null for documents', { action: 'Archive', documentIds: null }, ['documentIds']],
      ['one id instead of a list', { action: 'Archive', documentIds: one }, ['documentIds']],
      [
        'invalid ids',
        { action: 'Archive', documentIds: [one, 'x', 1] },
        ['documentIds[1]', 'documentIds[2]'],
      ],
      [
        'a document twice',
        { action: 'Archive', documentIds: [one, two, one.toUpperCase()] },
        ['documentIds[2]'],
      ],
      ['501 documents', { action: 'Archive', documentIds: ids(501) }, ['documentIds']],
      ['Archive with tags', { action: 'Archive', documentIds: [one], tagIds: [two] }, ['tagIds']],
      [
        'Archive with an empty list of files',
        { action: 'Archive', documentIds: [one], fileIds: [] },
        ['fileIds'],
      ],
      ['Tag without tags', { action: 'Tag', documentIds: [one] }, ['tagIds']],
      ['Tag with null as tags', { action: 'Tag', documentIds: [one], tagIds: null }, ['tagIds']],
      ['Untag with an empty list of tags', { action: 'Untag', documentIds: [one], tagIds: [] }, ['tagIds']],
      ['Tag with files', { action: 'Tag', documentIds: [one], fileIds: [two] }, ['fileIds', 'tagIds']],
      ['File with tags', { action: 'File', documentIds: [one], tagIds: [two] }, ['fileIds', 'tagIds']],
      ['Move without files', { action: 'Move', documentIds: [one] }, ['fromFileId', 'toFileId']],
      [
        'Move with the same file twice',
        { action: 'Move', documentIds: [one], fromFileId: two, toFileId: two },
        ['toFileId'],
      ],
      [
        'File with a file to move from',
        { action: 'File', documentIds: [one], fileIds: [two], fromFileId: two },
        ['fromFileId'],
      ],
      ['a tag twice', { action: 'Tag', documentIds: [one], tagIds: [two, two] }, ['tagIds[1]']],
      ['21 files', { action: 'Unfile', documentIds: [one], fileIds: ids(21) }, ['fileIds']],
    ])('returns 400 for %s', async (_, body, paths) => {
      await expectRefused(tenant, change(body), 'request.invalid', paths);
    });

    it('returns 400 for tags that do not exist in the tenant', async () => {
      const foreign = await saveTag(await service.tenant());
      const { id } = await make();
      const body = { action: 'Tag', documentIds: [id], tagIds: [foreign.id, tag.id, randomUUID()] };
      await expectRefused(tenant, change(body), 'request.invalid', ['tagIds[0]', 'tagIds[2]']);
    });

    it('returns 400 for files that do not exist or that the caller cannot see', async () => {
      const guest = await tenant.as('guest');
      await saveAccessGrant(tenant, guest, { file: file.id }, { level: 'Write' });
      const { id } = await make({ fileIds: [file.id] });
      const hidden = await saveFile(tenant, creator);
      const body = { action: 'File', documentIds: [id], fileIds: [file.id, hidden.id, randomUUID()] };
      await expectRefused(tenant, change(body, guest), 'request.invalid', ['fileIds[1]', 'fileIds[2]']);
    });
  });

  describe('with an Idempotency-Key', () => {
    it('returns 200 with the same answer to repeated requests and changes the documents once', async () => {
      const { id } = await make();
      const send = () =>
        change({ action: 'Archive', documentIds: [id, randomUUID()] }).set('Idempotency-Key', 'one');
      const body = { action: 'Archive', documentIds: [id] };
      const first = await change(body).set('Idempotency-Key', 'key');
      expect(resultsOf(first)).toEqual([doneResult(id)]);
      const before = await tenant.fingerprint();
      const again = await change(body).set('Idempotency-Key', 'key');
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(await tenant.fingerprint()).toEqual(before);
      // Archiving again under a new key is refused.
      expect(resultsOf(await send()).map(({ outcome }) => outcome)).toEqual(['Refused', 'Refused']);
    });

    it('returns 409 for another request with a used key', async () => {
      const [one, two] = [await make(), await make()];
      const send = (id: string) =>
        change({ action: 'Archive', documentIds: [id] }).set('Idempotency-Key', 'key');
      expect((await send(one.id)).status).toBe(200);
      await expectRefused(tenant, send(two.id), 'request.idempotency-conflict');
    });
  });
});
