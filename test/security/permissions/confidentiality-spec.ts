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
  type Ground,
  HIDDEN_TITLE,
  ONLOOKERS,
  type Onlooker,
  WAYS,
  prepareGround,
} from './hidden-document.js';
import { type Listing, withoutTraces } from './traces.js';

type Method = 'get' | 'head' | 'post' | 'put' | 'delete';

const PREFIX = '/api/v1/t/:tenant';

/** Bodies for the operations on a document that take one. */
const BODIES: Record<string, readonly object[]> = {
  UpdateDocument: [{ title: 'Mine' }],
  ChangeConfidentiality: [{ isConfidential: true }, { isConfidential: false }, {}],
};

/** Operations that name documents in their body, with all that can be asked of one. */
const NAMING: Record<string, (documentId: string, ground: Ground) => Record<string, object>> = {
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
const KEEPERS: readonly Onlooker[] = [
  'an administrator',
  'a records manager',
  'somebody who keeps the lists and reads no documents',
];

/** `npm test` asks everybody about one way of hiding a document, and these about the others. */
const ASKED_ABOUT_ALL = sized<readonly Onlooker[]>(
  ['an administrator', 'its creator, taken off the list', 'a guest with a Write grant on its file'],
  ONLOOKERS,
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
  let ground: Ground;
  beforeAll(async () => {
    service = await TestService.shared();
    ground = await prepareGround(service);
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
    const { fileId, tagId, fileTypeId, documentTypeId, roleId, listed } = ground;
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
      for (const [asked, body] of Object.entries(NAMING[operation]?.(documentId, ground) ?? {})) {
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
    const { openId, tagId, fileId } = ground;
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
    /** What each onlooker read last. */
    const readings = new Map<Onlooker, Map<string, Response>>();
    /** What each onlooker is answered about a document that does not exist. */
    const unknown = new Map<Onlooker, Map<string, object>>();
    const read = (onlookers: readonly Onlooker[]) =>
      Promise.all(onlookers.map(async (name) => readings.set(name, await readAll(ground.onlookers[name]))));
    beforeAll(async () => {
      await read(ONLOOKERS);
      for (const name of ONLOOKERS) unknown.set(name, await askOf(randomUUID(), ground.onlookers[name]));
    });

    describe.each(Object.entries(WAYS))('when it %s', (way, hide) => {
      const onlookers = way === 'was made confidential' ? ONLOOKERS : ASKED_ABOUT_ALL;
      let hidden: string;
      let before: typeof readings;
      beforeAll(async () => {
        hidden = await hide(ground);
        before = new Map(readings);
        await read(onlookers);
      });

      it.each(onlookers)('every operation answers as for an unknown id, to %s', async (onlooker) => {
        const print = await ground.tenant.fingerprint();

        const answers = await askOf(hidden, ground.onlookers[onlooker]);

        for (const [name, answer] of answers) {
          if (KEEPERS.includes(onlooker) && KEEPING.some((operation) => name.startsWith(operation))) continue;
          expect({ name, answer }).toEqual({ name, answer: unknown.get(onlooker)?.get(name) });
        }
        expect(await ground.tenant.fingerprint()).toEqual(print);
      });

      it.each(onlookers)('leaves no trace in anything that is read, by %s', (onlooker) => {
        const former = before.get(onlooker);
        const after = readings.get(onlooker);
        expect([...(after?.keys() ?? [])]).toEqual([...(former?.keys() ?? [])]);
        for (const [name, { status, body }] of after ?? []) {
          const left = withoutTraces(name, body as object, hidden, onlooker);
          expect({ name, status, body: withoutInstance(left) }).toEqual({
            name,
            status: former?.get(name)?.status,
            body: withoutInstance(former?.get(name)?.body as object),
          });
        }
        expect(after?.size).toBeGreaterThan(20);
      });

      it.each(onlookers)('cannot be referred to, by %s', async (onlooker) => {
        const { documentTypeId, openId, tenant } = ground;
        const actor = ground.onlookers[onlooker];
        const print = await tenant.fingerprint();
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
        expect(await tenant.fingerprint()).toEqual(print);
      });
    });
  });

  it('shows itself to those on its list, or all this would prove nothing', async () => {
    ground = await prepareGround(service);
    const { listed } = ground;
    const hidden = await WAYS['was made confidential'](ground);
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
      ground = await prepareGround(service);
      hidden = await WAYS['was made confidential'](ground);
      manager = ground.onlookers['a records manager'];
    });
    const shown = async () =>
      (await ground.listed.get(`/documents/${hidden}`)).body as Record<string, unknown>;

    it('when its file is closed and reopened', async () => {
      expect((await manager.post(`/files/${ground.otherFileId}/close`)).status).toBe(200);
      expectProblem(await ground.listed.put(`/documents/${hidden}`, { title: 'x' }), 'file.closed');
      expect((await manager.post(`/files/${ground.otherFileId}/reopen`)).status).toBe(200);
    });

    it('when its tag is renamed or deleted', async () => {
      expect((await manager.put(`/tags/${ground.tagId}`, { name: 'eilig' })).status).toBe(200);
      expect((await manager.delete(`/tags/${ground.tagId}`)).status).toBe(204);
      expect(await shown()).toMatchObject({ tagIds: [] });
    });

    it('when its type is deactivated, or a field of it removed', async () => {
      const path = `/document-types/${ground.documentTypeId}`;
      expect((await manager.put(path, { nameDe: 'Brief', nameEn: 'Letter', fields: [] })).status).toBe(200);
      expect((await manager.post(`${path}/deactivate`)).status).toBe(200);
    });

    it('when the last one on its list leaves the tenant; then somebody else can be put on it', async () => {
      const { chief, listed, creator } = ground;
      await chief.delete(`/members/${listed.userId}`).expect(204);
      expect((await manager.get('/confidential-documents')).body).toMatchObject({
        items: [{ id: hidden, userCount: 0 }],
      });
      await manager.put(`/documents/${hidden}/confidential-access/${creator.userId}`).expect(204);
      expect((await creator.get(`/documents/${hidden}`)).status).toBe(200);
    });

    it('but that of deleting its file, which would lose it', async () => {
      expectProblem(await manager.delete(`/files/${ground.otherFileId}`), 'file.not-empty');
    });
  });

  describe('in the audit log', () => {
    const summaries = async (actor: Actor, id: string) => {
      const { items } = (await actor.get(`/audit-log?subjectId=${id}`)).body as Listing;
      return items.map(({ summary }) => summary);
    };

    it('loses its summaries when it becomes confidential, and has them back when it no longer is', async () => {
      const { creator, onlookers } = ground;
      const auditor = onlookers['an auditor'];
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
      const { creator, chief, onlookers } = ground;
      const manager = onlookers['a records manager'];
      const body = { title: 'Plan', isConfidential: true };
      const { id } = (await creator.post('/documents', body).expect(201)).body as { id: string };
      const place = `/documents/${id}/confidential-access/${manager.userId}`;
      expect(await summaries(manager, id)).toEqual([null, null]);
      await chief.put(place).expect(204);
      const told = [`Plan: ${manager.name}`, 'Plan: confidential', 'Plan'];
      expect(await summaries(manager, id)).toEqual(told);
      expect(await summaries(chief, id)).toEqual([null, null, null]);
      await chief.delete(place).expect(204);
      expect(await summaries(manager, id)).toEqual([null, null, null, null]);
    });
  });
});
