import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Response } from 'supertest';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { treeComplete } from '../../resources/audit-log/evidence/evidence-fixture.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import {
  type ConfidentialityFixture,
  HIDDEN_TITLE,
  OBSERVERS,
  type Observer,
  HIDING_METHODS,
  createConfidentialityFixture,
} from './support/confidentiality-fixture.js';
import { type Listing, withoutPermittedTraces } from './support/permitted-traces.js';

type Method = 'get' | 'head' | 'post' | 'put' | 'delete';

const PREFIX = '/api/v1/t/:tenant';

/** Bodies of the operations on a document that take one. */
const BODIES: Record<string, (fixture: ConfidentialityFixture) => readonly object[]> = {
  MoveDocument: ({ fileId, otherFileId }) => [{ fromFileId: fileId, toFileId: otherFileId }],
  CreateContentLink: () => [{}, { of: 'preview' }],
  UpdateDocument: () => [{ title: 'Mine' }],
  ChangeConfidentiality: () => [{ isConfidential: true }, { isConfidential: false }, {}],
};

/** Operations that take document ids in the body, with a body for each action. */
const BULK_OPERATIONS: Record<
  string,
  (documentId: string, fixture: ConfidentialityFixture) => Record<string, object>
> = {
  BulkChangeDocuments: (documentId, { tagId, fileId, otherFileId }) => {
    const targets: Record<string, object> = {
      Tag: { tagIds: [tagId] },
      Untag: { tagIds: [tagId] },
      File: { fileIds: [fileId] },
      Unfile: { fileIds: [fileId] },
      Move: { fromFileId: fileId, toFileId: otherFileId },
      ...{ Archive: {}, Unarchive: {}, Delete: {}, Restore: {} },
    };
    const entries = Object.entries(targets).map(([action, rest]) => {
      return [action, { action, documentIds: [documentId], ...rest }] as const;
    });
    return Object.fromEntries(entries);
  },
};

/** Query strings that could find a document, by operation. */
const QUERIES: Record<string, readonly string[]> = {
  ListDocuments: ['', '?status=Deleted', '?q=abmahnung', '?tagIds=TAG', '?fileId=FILE'],
  ListFiles: ['', '?q=abmahnung'],
  ListNotifications: ['', '?unreadOnly=true'],
  GetMemberAccess: ['?fileId=FILE'],
};

/** Bodies of the operations that read but are not GET. */
const SEARCHES: Record<string, readonly object[]> = {
  SearchDocuments: [{}, { q: 'abmahnung' }, { status: 'Deleted' }],
};

/** The operations that `documents.confidential.manage` allows on a document that the caller cannot see. */
const LIST_OPERATIONS = ['AddConfidentialUser', 'RemoveConfidentialUser', 'ListConfidentialUsers'];
const LIST_MANAGERS: readonly Observer[] = [
  'an administrator',
  'a records manager',
  'a manager of access lists without documents.read',
];

/** The observers of the first way to make a document confidential, and of the others. */
const OBSERVERS_OF_FIRST = sized<readonly Observer[]>(
  [
    ...(['an administrator', 'a manager of access lists without documents.read'] as const),
    ...(['its creator, removed from its list', 'a guest with a Write grant on its file'] as const),
  ],
  OBSERVERS,
);
const OBSERVERS_OF_OTHERS = sized<readonly Observer[]>(['its creator, removed from its list'], OBSERVERS);

/** The response without what differs between any two requests: date, request id, rate limit. */
function contentOf({ status, headers, body, text }: Response): object {
  const { date: _, 'x-request-id': __, ratelimit: ___, ...rest } = headers as Record<string, string>;
  const isJson = rest['content-type']?.includes('json');
  return { status, headers: rest, content: isJson ? withoutInstance(body as object) : text };
}

/**
 * The body without the end of the event log: it is in the cursor of the last page of events and in the checkpoint of an
 * export, and is the position at which a stream of events begins.
 */
function withoutPosition(name: string, body: object | string): object {
  if (typeof body === 'string') return { text: body.replace(/^(id|retry): \d+$/gm, '$1: <number>') };
  const comparable = withoutInstance(body);
  if (name.startsWith('ListEvents ')) return { ...comparable, nextCursor: undefined };
  if (name.startsWith('ExportAuditLog ') && 'items' in body)
    return { ...comparable, items: (body as Listing).items.filter((line) => !('checkpoint' in line)) };
  return comparable;
}

function withoutInstance(body: object): object {
  return { ...body, instance: '' };
}

/**
 * A confidential document does not exist for users who are not on its access list. Every route is called with the id of
 * the document and with an unknown id, and every read before and after the document is created. New routes are
 * included automatically.
 */
describe('A document that is confidential to others', () => {
  let fixture: ConfidentialityFixture;
  beforeAll(async () => {
    fixture = await createConfidentialityFixture(service);
  });

  const routes = () =>
    service.app
      .get(RouteTable)
      .routes.filter(({ endpoint, path }) => endpoint && path.startsWith(PREFIX))
      .map(({ path, method, endpoint }) => ({
        path: path.slice(PREFIX.length),
        methods: method === 'GET' ? (['get', 'head'] as const) : ([method.toLowerCase()] as Method[]),
        operation: endpoint?.operation ?? '',
        takesBody: endpoint?.body !== undefined,
        takesContent: endpoint?.contentBody === true,
      }));

  /** The path with ids of resources that are related to the hidden document. */
  function fill(path: string, documentId: string): string {
    const { fileId, tagId, fileTypeId, documentTypeId, roleId, listed } = fixture;
    const ids: Record<string, string> = {
      ...{ documentId, fileId, tagId, fileTypeId, documentTypeId, roleId, userId: listed.userId },
      // Version number
      number: '1',
    };
    // Other resources are not related to documents.
    return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? randomUUID());
  }

  async function responsesFor(documentId: string, actor: Actor): Promise<Map<string, object>> {
    const answers = new Map<string, object>();
    for (const { path, methods, operation, takesBody, takesContent } of routes()) {
      if (!path.includes(':documentId')) continue;
      const bodies = takesBody ? BODIES[operation]?.(fixture) : [undefined];
      if (!bodies) throw new Error(`BODIES has no body for ${operation}`);
      for (const method of methods) {
        for (const body of bodies) {
          const test = actor.send(method, fill(path, documentId));
          if (takesContent) void test.set('Content-Type', 'text/plain').send(randomUUID());
          const response = await (body ? test.send(body) : test);
          if (response.status >= 500) throw new Error(`${operation} failed: ${response.text}`);
          answers.set(`${operation} ${method} ${JSON.stringify(body)}`, contentOf(response));
        }
      }
    }
    for (const { path, operation } of routes()) {
      for (const [action, body] of Object.entries(BULK_OPERATIONS[operation]?.(documentId, fixture) ?? {})) {
        const response = await actor.post(path, body);
        if (response.status >= 500) throw new Error(`${operation} failed: ${response.text}`);
        const content = JSON.stringify(contentOf(response)).replaceAll(documentId, 'the document');
        answers.set(`${operation}:${action} post`, JSON.parse(content) as object);
      }
    }
    return answers;
  }

  /** All read operations; those on a single document read the open one. */
  async function readAll(actor: Actor): Promise<Map<string, Response>> {
    const { openId, tagId, fileId } = fixture;
    const answers = new Map<string, Response>();
    for (const { path, methods, operation } of routes()) {
      if (methods[0] === 'get') {
        for (const query of QUERIES[operation] ?? ['']) {
          const search = query.replace('TAG', tagId).replace('FILE', fileId);
          answers.set(`${operation} ${query}`, await actor.get(`${fill(path, openId)}${search}`));
        }
      }
      for (const body of SEARCHES[operation] ?? [])
        answers.set(`${operation} ${JSON.stringify(body)}`, await actor.post(path, body));
    }
    for (const [name, { status }] of answers) {
      if (status === 400 || status >= 500) throw new Error(`${name} was not a valid request: ${status}`);
    }
    return answers;
  }

  describe('does not exist for users who are not on its access list', () => {
    const readings = new Map<Observer, Map<string, Response>>();
    /** The responses that each observer gets for an unknown document id. */
    const unknown = new Map<Observer, Map<string, object>>();
    const read = async (observers: readonly Observer[]) => {
      const tenants = new Set(Object.values(fixture.observers).map(({ tenant }) => tenant));
      await Promise.all([...tenants].map(treeComplete));
      await Promise.all(
        observers.map(async (name) => readings.set(name, await readAll(fixture.observers[name]))),
      );
    };
    beforeAll(async () => {
      await read(OBSERVERS_OF_FIRST);
      for (const name of OBSERVERS_OF_FIRST)
        unknown.set(name, await responsesFor(randomUUID(), fixture.observers[name]));
    });

    describe.each(Object.entries(HIDING_METHODS))('when it %s', (way, hide) => {
      const observers = way === 'is created as confidential' ? OBSERVERS_OF_FIRST : OBSERVERS_OF_OTHERS;
      let hidden: string;
      let before: typeof readings;
      beforeAll(async () => {
        hidden = await hide(fixture);
        before = new Map(readings);
        await read(observers);
      });

      it.each(observers)('and every operation responds as for an unknown id, to %s', async (observer) => {
        const fingerprint = await fixture.tenant.fingerprint();

        const answers = await responsesFor(hidden, fixture.observers[observer]);

        for (const [name, answer] of answers) {
          if (
            LIST_MANAGERS.includes(observer) &&
            LIST_OPERATIONS.some((operation) => name.startsWith(operation))
          )
            continue;
          expect({ name, answer }).toEqual({ name, answer: unknown.get(observer)?.get(name) });
        }
        expect(await fixture.tenant.fingerprint()).toEqual(fingerprint);
      });

      it.each(observers)('and leaves no trace in what %s reads', (observer) => {
        const former = before.get(observer);
        const after = readings.get(observer);
        expect([...(after?.keys() ?? [])]).toEqual([...(former?.keys() ?? [])]);
        for (const [name, { status, body }] of after ?? []) {
          const left = withoutPermittedTraces(name, body as object, hidden, observer);
          expect({ name, status, body: withoutPosition(name, left) }).toEqual({
            name,
            status: former?.get(name)?.status,
            body: withoutPosition(name, former?.get(name)?.body as object),
          });
        }
        expect(after?.size).toBeGreaterThan(20);
      });

      it.each(observers)('and cannot be referenced by %s', async (observer) => {
        const { documentTypeId, openId, tenant } = fixture;
        const actor = fixture.observers[observer];
        const fingerprint = await tenant.fingerprint();
        const refer = async (id: string) => {
          const body = { title: 'Antwort', documentTypeId, fields: { answers: id } };
          const responses = [
            await actor.put(`/documents/${openId}`, body),
            await actor.post('/documents', body),
          ];
          for (const { status } of responses) expect([400, 403, 404]).toContain(status);
          return responses.map(contentOf);
        };
        expect(await refer(hidden)).toEqual(await refer(randomUUID()));
        expect(await tenant.fingerprint()).toEqual(fingerprint);
      });
    });
  });

  it('is visible to users on its list, which shows that the tests above can fail', async () => {
    fixture = await createConfidentialityFixture(service);
    const { listed } = fixture;
    const hidden = await HIDING_METHODS['is created as confidential'](fixture);
    const seen = [...(await readAll(listed))].filter(([, { text }]) => String(text).includes(HIDDEN_TITLE));
    expect(seen.map(([name]) => name.trim())).toContain('ListFileDocuments');
    const [answers, unknown] = [await responsesFor(hidden, listed), await responsesFor(randomUUID(), listed)];
    const alike = [...answers].filter(([name, answer]) => isDeepStrictEqual(answer, unknown.get(name)));
    // Operations that an editor may not do with documents of other users.
    const refusedNames = new Set(alike.map(([name]) => name.split(' ')[0]));
    expect([...refusedNames].sort()).toEqual([
      'AddDocumentToHold',
      'BulkChangeDocuments:Restore',
      'ChangeConfidentiality',
      'ListDocumentAccess',
      'RemoveConfidentialUser',
      'RemoveDocumentFromHold',
      'RestoreDocument',
    ]);
  });

  describe('does not block other operations', () => {
    let hidden: string;
    let manager: Actor;
    beforeAll(async () => {
      fixture = await createConfidentialityFixture(service);
      hidden = await HIDING_METHODS['is created as confidential'](fixture);
      manager = fixture.observers['a records manager'];
    });
    const shown = async () =>
      (await fixture.listed.get(`/documents/${hidden}`)).body as Record<string, unknown>;

    it('such as closing and reopening its file', async () => {
      expect((await manager.post(`/files/${fixture.otherFileId}/close`)).status).toBe(200);
      expectProblem(await fixture.listed.put(`/documents/${hidden}`, { title: 'x' }), 'file.closed');
      expect((await manager.post(`/files/${fixture.otherFileId}/reopen`)).status).toBe(200);
    });

    it('such as renaming or deleting its tag', async () => {
      expect((await manager.put(`/tags/${fixture.tagId}`, { name: 'eilig' })).status).toBe(200);
      expect((await manager.delete(`/tags/${fixture.tagId}`)).status).toBe(204);
      expect(await shown()).toMatchObject({ tagIds: [] });
    });

    it('such as deactivating its type or removing a field of the type', async () => {
      const path = `/document-types/${fixture.documentTypeId}`;
      expect((await manager.put(path, { nameDe: 'Brief', nameEn: 'Letter', fields: [] })).status).toBe(200);
      expect((await manager.post(`${path}/deactivate`)).status).toBe(200);
    });

    it('such as removing the last listed member; then another user can be added to the list', async () => {
      const { administrator, listed, creator } = fixture;
      await administrator.delete(`/members/${listed.userId}`).expect(204);
      expect((await manager.get('/confidential-documents')).body).toMatchObject({
        items: [{ id: hidden, userCount: 0 }],
      });
      await manager.put(`/documents/${hidden}/confidential-access/${creator.userId}`).expect(204);
      expect((await creator.get(`/documents/${hidden}`)).status).toBe(200);
    });

    it('except deleting its file, because the document would be lost', async () => {
      expectProblem(await manager.delete(`/files/${fixture.otherFileId}`), 'file.not-empty');
    });
  });

  describe('in the audit log', () => {
    const summaries = async (actor: Actor, id: string) => {
      const { items } = (await actor.get(`/audit-log?subjectId=${id}`)).body as Listing;
      return items.map(({ summary }) => summary);
    };

    it('hides its summaries while it is confidential', async () => {
      const { creator, observers } = fixture;
      const auditor = observers['an auditor'];
      const { id } = (await creator.post('/documents', { title: 'Plan' }).expect(201)).body as { id: string };
      const change = (isConfidential: boolean) =>
        creator.put(`/documents/${id}/confidentiality`, { isConfidential }).expect(200);
      expect(await summaries(auditor, id)).toEqual(['Plan']);
      await change(true);
      expect(await summaries(auditor, id)).toEqual([null, null]);
      await change(false);
      expect(await summaries(auditor, id)).toEqual(['Plan: not confidential', 'Plan: confidential', 'Plan']);
    });

    it('shows its summaries to users while they are on the list', async () => {
      const { creator, administrator, observers } = fixture;
      const manager = observers['a records manager'];
      const body = { title: 'Plan', isConfidential: true };
      const { id } = (await creator.post('/documents', body).expect(201)).body as { id: string };
      const place = `/documents/${id}/confidential-access/${manager.userId}`;
      expect(await summaries(manager, id)).toEqual([null, null]);
      await administrator.put(place).expect(204);
      const visible = [`Plan: ${manager.name}`, 'Plan: confidential', 'Plan'];
      expect(await summaries(manager, id)).toEqual(visible);
      expect(await summaries(administrator, id)).toEqual([null, null, null]);
      await administrator.delete(place).expect(204);
      expect(await summaries(manager, id)).toEqual([null, null, null, null]);
    });
  });
});
