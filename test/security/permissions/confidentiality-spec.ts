import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Response } from 'supertest';
import { RouteTable } from '../../../src/platform/http/pipeline/route-table.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { expectProblem } from '../../support/expect-problem.js';
import { TestService } from '../../support/service/service.js';
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

/** Bodies for the operations on a document that take one. */
const BODIES: Record<string, readonly object[]> = {
  UpdateDocument: [{ title: 'Mine' }],
  ChangeConfidentiality: [{ isConfidential: true }, { isConfidential: false }, {}],
};

/** Operations that name documents in their body, with all that can be asked of one. */
const NAMING: Record<
  string,
  (documentId: string, fixture: ConfidentialityFixture) => Record<string, object>
> = {
  BulkChangeDocuments: (documentId, { tagId, fileId }) => {
    const targets: Record<string, object> = {
      Tag: { tagIds: [tagId] },
      Untag: { tagIds: [tagId] },
      File: { fileIds: [fileId] },
      Unfile: { fileIds: [fileId] },
      ...{ Archive: {}, Unarchive: {}, Delete: {}, Restore: {} },
    };
    const asked = Object.entries(targets).map(([action, rest]) => {
      return [action, { action, documentIds: [documentId], ...rest }] as const;
    });
    return Object.fromEntries(asked);
  },
};

/** Ways to look for documents, beyond what the path says. */
const QUERIES: Record<string, readonly string[]> = {
  ListDocuments: ['', '?status=Deleted', '?q=abmahnung', '?tagIds=TAG', '?fileId=FILE'],
  ListFiles: ['', '?q=abmahnung'],
  ListNotifications: ['', '?unreadOnly=true'],
};

/** Operations that read though they are no GET. */
const SEARCHES: Record<string, readonly object[]> = {
  SearchDocuments: [{}, { q: 'abmahnung' }, { status: 'Deleted' }],
};

/** What `documents.confidential.manage` is for. */
const KEEPING = ['AddConfidentialUser', 'RemoveConfidentialUser', 'ListConfidentialUsers'];
const KEEPERS: readonly Observer[] = [
  'an administrator',
  'a records manager',
  'somebody who keeps the lists and reads no documents',
];

/** `npm test` asks everybody about one way of hiding a document, and these about the others. */
const ASKED_ABOUT_ALL = sized<readonly Observer[]>(
  ['an administrator', 'its creator, taken off the list', 'a guest with a Write grant on its file'],
  OBSERVERS,
);

/** All of an answer but what tells one request from the next. */
function contentOf({ status, headers, body, text }: Response): object {
  const { date: _, 'x-request-id': __, ratelimit: ___, ...rest } = headers as Record<string, string>;
  const isJson = rest['content-type']?.includes('json');
  return { status, headers: rest, content: isJson ? withoutInstance(body as object) : text };
}

function withoutInstance(body: object): object {
  return { ...body, instance: '' };
}

/**
 * For whoever is not on its list a confidential document does not exist. Whatever a route can be asked is asked here
 * of the document and of one that is not there, and before there was the document and afterwards; a route that is new
 * is asked without anybody having to think of it.
 */
describe('A document that is confidential to others', () => {
  let service: TestService;
  let fixture: ConfidentialityFixture;
  beforeAll(async () => {
    service = await TestService.shared();
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

  /** The path with ids that the hidden document has to do with. */
  function fill(path: string, documentId: string): string {
    const { fileId, tagId, fileTypeId, documentTypeId, roleId, listed } = fixture;
    const ids: Record<string, string> = {
      ...{ documentId, fileId, tagId, fileTypeId, documentTypeId, roleId, userId: listed.userId },
      // The first version.
      number: '1',
    };
    // Nothing else has to do with a document.
    return path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? randomUUID());
  }

  /** What every operation on a document answers of this one. */
  async function askOf(documentId: string, actor: Actor): Promise<Map<string, object>> {
    const answers = new Map<string, object>();
    for (const { path, methods, operation, takesBody, takesContent } of routes()) {
      if (!path.includes(':documentId')) continue;
      const bodies = takesBody ? BODIES[operation] : [undefined];
      if (!bodies) throw new Error(`With which body shall ${operation} be asked?`);
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
      for (const [asked, body] of Object.entries(NAMING[operation]?.(documentId, fixture) ?? {})) {
        const response = await actor.post(path, body);
        if (response.status >= 500) throw new Error(`${operation} failed: ${response.text}`);
        const content = JSON.stringify(contentOf(response)).replaceAll(documentId, 'the document');
        answers.set(`${operation}:${asked} post`, JSON.parse(content) as object);
      }
    }
    return answers;
  }

  /** Everything that can be read, but of a single document: there it is the open one. */
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
      if (status === 400 || status >= 500) throw new Error(`${name} is not asked well: ${status}`);
    }
    return answers;
  }

  describe('does not exist for others', () => {
    /** What each observer read last. */
    const readings = new Map<Observer, Map<string, Response>>();
    /** What each observer is answered about a document that does not exist. */
    const unknown = new Map<Observer, Map<string, object>>();
    const read = (observers: readonly Observer[]) =>
      Promise.all(observers.map(async (name) => readings.set(name, await readAll(fixture.observers[name]))));
    beforeAll(async () => {
      await read(OBSERVERS);
      for (const name of OBSERVERS) unknown.set(name, await askOf(randomUUID(), fixture.observers[name]));
    });

    describe.each(Object.entries(HIDING_METHODS))('when it %s', (way, hide) => {
      const observers = way === 'was made confidential' ? OBSERVERS : ASKED_ABOUT_ALL;
      let hidden: string;
      let before: typeof readings;
      beforeAll(async () => {
        hidden = await hide(fixture);
        before = new Map(readings);
        await read(observers);
      });

      it.each(observers)('every operation answers as for an unknown id, to %s', async (observer) => {
        const fingerprint = await fixture.tenant.fingerprint();

        const answers = await askOf(hidden, fixture.observers[observer]);

        for (const [name, answer] of answers) {
          if (KEEPERS.includes(observer) && KEEPING.some((operation) => name.startsWith(operation))) continue;
          expect({ name, answer }).toEqual({ name, answer: unknown.get(observer)?.get(name) });
        }
        expect(await fixture.tenant.fingerprint()).toEqual(fingerprint);
      });

      it.each(observers)('leaves no trace in anything that is read, by %s', (observer) => {
        const former = before.get(observer);
        const after = readings.get(observer);
        expect([...(after?.keys() ?? [])]).toEqual([...(former?.keys() ?? [])]);
        for (const [name, { status, body }] of after ?? []) {
          const left = withoutPermittedTraces(name, body as object, hidden, observer);
          expect({ name, status, body: withoutInstance(left) }).toEqual({
            name,
            status: former?.get(name)?.status,
            body: withoutInstance(former?.get(name)?.body as object),
          });
        }
        expect(after?.size).toBeGreaterThan(20);
      });

      it.each(observers)('cannot be referred to, by %s', async (observer) => {
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

  it('shows itself to those on its list, or all this would prove nothing', async () => {
    fixture = await createConfidentialityFixture(service);
    const { listed } = fixture;
    const hidden = await HIDING_METHODS['was made confidential'](fixture);
    const seen = [...(await readAll(listed))].filter(([, { text }]) => text.includes(HIDDEN_TITLE));
    expect(seen.map(([name]) => name.trim())).toContain('ListFileDocuments');
    const [answers, unknown] = [await askOf(hidden, listed), await askOf(randomUUID(), listed)];
    const alike = [...answers].filter(([name, answer]) => isDeepStrictEqual(answer, unknown.get(name)));
    // What an editor may not do with any document that others made.
    const refused = new Set(alike.map(([name]) => name.split(' ')[0]));
    expect([...refused].sort()).toEqual([
      'BulkChangeDocuments:Restore',
      'ChangeConfidentiality',
      'RemoveConfidentialUser',
      'RestoreDocument',
    ]);
  });

  describe('stands in the way of nothing', () => {
    let hidden: string;
    let manager: Actor;
    beforeEach(async () => {
      fixture = await createConfidentialityFixture(service);
      hidden = await HIDING_METHODS['was made confidential'](fixture);
      manager = fixture.observers['a records manager'];
    });
    const shown = async () =>
      (await fixture.listed.get(`/documents/${hidden}`)).body as Record<string, unknown>;

    it('when its file is closed and reopened', async () => {
      expect((await manager.post(`/files/${fixture.otherFileId}/close`)).status).toBe(200);
      expectProblem(await fixture.listed.put(`/documents/${hidden}`, { title: 'x' }), 'file.closed');
      expect((await manager.post(`/files/${fixture.otherFileId}/reopen`)).status).toBe(200);
    });

    it('when its tag is renamed or deleted', async () => {
      expect((await manager.put(`/tags/${fixture.tagId}`, { name: 'eilig' })).status).toBe(200);
      expect((await manager.delete(`/tags/${fixture.tagId}`)).status).toBe(204);
      expect(await shown()).toMatchObject({ tagIds: [] });
    });

    it('when its type is deactivated, or a field of it removed', async () => {
      const path = `/document-types/${fixture.documentTypeId}`;
      expect((await manager.put(path, { nameDe: 'Brief', nameEn: 'Letter', fields: [] })).status).toBe(200);
      expect((await manager.post(`${path}/deactivate`)).status).toBe(200);
    });

    it('when the last one on its list leaves the tenant; then somebody else can be put on it', async () => {
      const { administrator, listed, creator } = fixture;
      await administrator.delete(`/members/${listed.userId}`).expect(204);
      expect((await manager.get('/confidential-documents')).body).toMatchObject({
        items: [{ id: hidden, userCount: 0 }],
      });
      await manager.put(`/documents/${hidden}/confidential-access/${creator.userId}`).expect(204);
      expect((await creator.get(`/documents/${hidden}`)).status).toBe(200);
    });

    it('but that of deleting its file, which would lose it', async () => {
      expectProblem(await manager.delete(`/files/${fixture.otherFileId}`), 'file.not-empty');
    });
  });

  describe('in the audit log', () => {
    const summaries = async (actor: Actor, id: string) => {
      const { items } = (await actor.get(`/audit-log?subjectId=${id}`)).body as Listing;
      return items.map(({ summary }) => summary);
    };

    it('loses its summaries when it becomes confidential, and has them back when it no longer is', async () => {
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

    it('has its summaries for whoever is on the list, as long as they are', async () => {
      const { creator, administrator, observers } = fixture;
      const manager = observers['a records manager'];
      const body = { title: 'Plan', isConfidential: true };
      const { id } = (await creator.post('/documents', body).expect(201)).body as { id: string };
      const place = `/documents/${id}/confidential-access/${manager.userId}`;
      expect(await summaries(manager, id)).toEqual([null, null]);
      await administrator.put(place).expect(204);
      const told = [`Plan: ${manager.name}`, 'Plan: confidential', 'Plan'];
      expect(await summaries(manager, id)).toEqual(told);
      expect(await summaries(administrator, id)).toEqual([null, null, null]);
      await administrator.delete(place).expect(204);
      expect(await summaries(manager, id)).toEqual([null, null, null, null]);
    });
  });
});
