import { beforeAll, describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Response, type Test } from 'supertest';
import { saveDocument, saveTag, upload } from '../factories/documents.js';
import { saveFile, saveFileType } from '../factories/files.js';
import { type Actor } from '../support/actor.js';
import { expectProblem } from '../support/expect-problem.js';
import { type TestTenant } from '../support/tenant.js';
import { RaceFixture, expectSuccessOr, idOf, isSuccess, times } from './support/race-fixture.js';

interface Creation {
  readonly operation: string;
  readonly status?: 200;
  /** Sends the request; a different `n` gives a different request. */
  readonly send: (actor: Actor, n: string) => Test;
  /** Audit entries of one such request. */
  readonly entries: (id: string) => string[];
}

/** Members that only the first answer contains. */
const SECRETS = ['secret', 'acceptUrl'];

function repeatable({ body }: Response): unknown {
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).filter(([member]) => !SECRETS.includes(member)),
  );
}

describe('Concurrent requests with one Idempotency-Key', () => {
  const fixture = new RaceFixture(1);
  let tenant: TestTenant;
  let actor: Actor;
  let known: Record<'fileTypeId' | 'fileId' | 'tagId' | 'documentId' | 'roleId', string>;
  beforeAll(async () => {
    ({ tenant } = fixture);
    [actor] = fixture.people as [Actor];
    known = {
      fileTypeId: (await saveFileType(tenant)).id,
      fileId: (await saveFile(tenant, actor)).id,
      tagId: (await saveTag(tenant)).id,
      documentId: (await saveDocument(tenant, actor)).id,
      roleId: await tenant.roleId('viewer'),
    };
  });

  const creations: Creation[] = [
    {
      operation: 'CreateFile',
      send: (who, n) => who.post('/files', { fileTypeId: known.fileTypeId, number: n, name: 'Akte' }),
      entries: (id) => [`FileCreated ${id}`],
    },
    {
      operation: 'CreateTag',
      send: (who, n) => who.post('/tags', { name: n }),
      entries: (id) => [`TagCreated ${id}`],
    },
    {
      operation: 'CreateSavedView',
      send: (who, n) => who.post('/saved-views', { name: n }),
      entries: (id) => [`SavedViewCreated ${id}`],
    },
    {
      operation: 'CreateRole',
      send: (who, n) => who.post('/roles', { name: n, permissions: ['tags.read'] }),
      entries: (id) => [`RoleCreated ${id}`],
    },
    {
      operation: 'CreateFileType',
      send: (who, n) => who.post('/file-types', { key: n, nameDe: 'Art', nameEn: 'Type' }),
      entries: (id) => [`FileTypeCreated ${id}`],
    },
    {
      operation: 'CreateDocumentType',
      send: (who, n) => who.post('/document-types', { key: n, nameDe: 'Art', nameEn: 'Type', fields: [] }),
      entries: (id) => [`DocumentTypeCreated ${id}`],
    },
    {
      operation: 'CreateInvitation',
      send: (who, n) => who.post('/invitations', { email: `${n}@people.example`, roleId: known.roleId }),
      entries: (id) => [`InvitationCreated ${id}`],
    },
    {
      operation: 'AddMember',
      send: (who, subject) =>
        who.post('/members', { issuer: fixture.service.issuer.url, subject, roleId: known.roleId }),
      entries: (id) => [`MemberAdded ${id}`],
    },
    {
      operation: 'CreateAccessGrant',
      send: (who, reason) =>
        who.post('/access-grants', {
          subjectType: 'Role',
          subjectId: known.roleId,
          targetType: 'File',
          targetId: known.fileId,
          level: 'Read',
          reason,
        }),
      entries: (id) => [`AccessGranted ${id}`],
    },
    {
      operation: 'CreateDocument',
      send: (who, title) => who.post('/documents', { title, tagIds: [known.tagId], fileIds: [known.fileId] }),
      entries: (id) => [`DocumentCreated ${id}`, `DocumentFiled ${id}`, `DocumentTagged ${id}`],
    },
    {
      operation: 'CreateDocument, with content',
      send: (who, title) => upload(who, { title }, { bytes: `Inhalt ${title}` }),
      entries: (id) => [`DocumentCreated ${id}`],
    },
    {
      operation: 'BulkChangeDocuments',
      status: 200,
      // Archiving a document twice fails.
      send: (who, n) =>
        who.post('/documents/bulk', {
          action: n.endsWith('b') ? 'Tag' : 'Archive',
          documentIds: [known.documentId],
          ...(n.endsWith('b') ? { tagIds: [known.tagId] } : {}),
        }),
      entries: () => [`DocumentArchived ${known.documentId}`],
    },
  ];

  for (const { operation, status = 201, send, entries } of creations) {
    fixture.race(
      `to ${operation}: one change and one answer`,
      async ({ number, writers, onAnyInstance, concurrently }) => {
        if (status === 200) known.documentId = (await saveDocument(tenant, actor)).id;
        const key = randomUUID();
        const answers = await concurrently(
          times(writers, () => send(onAnyInstance(actor), `n${number}`).set('Idempotency-Key', key)),
        );
        const expected = status === 200 ? 'Done' : idOf(answers[0]);
        for (const answer of answers) {
          expect([answer.status, repeatable(answer)]).toEqual([status, repeatable(answers[0])]);
          expect(answer.headers.etag).toBe(answers[0].headers.etag);
          expect(answer.text).toContain(expected);
        }
        const shown = answers.filter(({ body }) => 'secret' in (body as object)).length;
        expect(shown).toBe(operation === 'CreateInvitation' ? 1 : 0);
        expect(await fixture.takeAuditLines()).toEqual(entries(idOf(answers[0])).sort());
        return 'one';
      },
    );
  }

  fixture.race('and two different bodies: only the first body succeeds', async (round) => {
    const { number, writers, random, onAnyInstance, concurrently } = round;
    const { send, entries, status } = random.pick(creations.filter((one) => one.status !== 200));
    expect(status).toBeUndefined();
    const key = randomUUID();
    const others = random.between(1, writers - 1);
    const answers = await concurrently(
      times(writers, (n) =>
        send(onAnyInstance(actor), `m${number}${n < others ? 'a' : 'b'}`).set('Idempotency-Key', key),
      ),
    );
    expectSuccessOr(answers, 'request.idempotency-conflict');
    const [first, second] = [answers.slice(0, others), answers.slice(others)];
    const [won, lost] = first.some(isSuccess) ? [first, second] : [second, first];
    expect(won.map(repeatable)).toEqual(won.map(() => repeatable(won[0]!)));
    expect(won.every(isSuccess)).toBe(true);
    for (const answer of lost) expectProblem(answer, 'request.idempotency-conflict');
    expect(await fixture.takeAuditLines()).toEqual(entries(idOf(won[0]!)).sort());
    return won === first ? 'the first' : 'the second';
  });

  fixture.race(
    'and without it for the same number: all requests with the key get the same answer',
    async (round) => {
      const { number, writers, random, onAnyInstance, concurrently } = round;
      const body = { fileTypeId: known.fileTypeId, number: `rival ${number}`, name: 'Akte' };
      const key = randomUUID();
      const keyed = random.between(1, writers - 1);
      const answers = await concurrently(
        times(writers, (n) => {
          const request = onAnyInstance(actor).post('/files', body);
          return n < keyed ? request.set('Idempotency-Key', key) : request;
        }),
      );
      expectSuccessOr(answers, 'file.number-taken');
      const [repeated, single] = [answers.slice(0, keyed), answers.slice(keyed)];
      const made = new Set(answers.filter(isSuccess).map(idOf));
      expect(made.size).toBe(1);
      expect(await fixture.takeAuditLines()).toEqual([`FileCreated ${[...made][0]}`]);
      if (isSuccess(repeated[0]!)) {
        expect(repeated.every(isSuccess)).toBe(true);
        expect(single.filter(isSuccess)).toEqual([]);
        return 'with it';
      }
      expect(repeated.filter(isSuccess)).toEqual([]);
      expect(single.filter(isSuccess)).toHaveLength(1);
      return 'without it';
    },
  );
});
