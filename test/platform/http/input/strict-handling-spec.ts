import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import { OpenApiDocument } from '../../../../src/platform/documentation/openapi-document.js';
import { prefersStrict } from '../../../../src/platform/http/input/strict-handling.js';
import { unknownMembers } from '../../../../src/platform/http/input/unknown-members.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { BadInputFixture } from '../../../security/bad-input/support/bad-input-fixture.js';
import {
  type DescribedOperation,
  describedOperations,
} from '../../../security/bad-input/support/described-operations.js';

const STRICT = 'handling=strict';
const UNKNOWN = 'zz_unknown';

describe('Prefer: handling=strict', () => {
  let tenant: TestTenant;
  let admin: Actor;
  let fixture: BadInputFixture;
  let operations: DescribedOperation[];
  beforeAll(async () => {
    fixture = await BadInputFixture.create(service);
    ({ tenant, admin } = fixture);
    const document = service.app.get(OpenApiDocument).document;
    operations = describedOperations(document).filter(({ isPublic }) => !isPublic);
  });

  async function send(operation: DescribedOperation, query: string, body?: unknown): Promise<Response> {
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const test = request(service.url)[method](fixture.target(operation, {}, query));
    for (const [name, value] of Object.entries(fixture.headers(operation))) void test.set(name, value);
    void test.set('Prefer', STRICT);
    if (body !== undefined) return test.send(JSON.stringify(body));
    if (operation.mediaTypes.includes('*/*')) return test.set('Content-Type', 'text/plain').send('content');
    return test;
  }

  const expectNoWrites = async (work: () => Promise<void>) => {
    const before = await tenant.fingerprint();
    await work();
    expect(await tenant.fingerprint()).toEqual(before);
  };

  function expectRejected(what: string, response: Response, ...paths: string[]): void {
    const { errors } = response.body as { errors?: object };
    expect([what, response.status, Object.keys(errors ?? {})]).toEqual([what, 400, paths]);
    expectProblem(response, 'request.invalid');
    expect(response.headers['preference-applied']).toBe(STRICT);
  }

  describe('in every operation', () => {
    it('returns 400 with the name of an unknown parameter', () =>
      expectNoWrites(async () => {
        for (const operation of operations) {
          const [body] = operation.body ? fixture.bodies(operation) : [];
          expectRejected(operation.id, await send(operation, `${UNKNOWN}=1`, body), UNKNOWN);
        }
      }));

    it('returns 400 with the path of an unknown member, at any depth of the body', () =>
      expectNoWrites(async () => {
        let deepest = 0;
        for (const operation of operations.filter(({ body }) => body !== null)) {
          for (const body of fixture.bodies(operation)) {
            for (const { path, changed } of withUnknownMembers(body)) {
              deepest = Math.max(deepest, path.split('.').length);
              expectRejected(`${operation.id} ${path}`, await send(operation, '', changed), path);
            }
          }
        }
        expect(deepest).toBeGreaterThan(2);
      }));

    it('accepts a request without unknown names, and confirms the preference', async () => {
      for (const operation of operations.filter(({ method, body }) => method === 'GET' && body === null)) {
        const { status, headers } = await send(operation, '');
        expect([operation.id, status, headers['preference-applied']]).toEqual([operation.id, 200, STRICT]);
      }
      const response = await admin.post('/tags', { name: 'Strict' }).set('Prefer', STRICT);
      expect([response.status, response.headers['preference-applied']]).toEqual([201, STRICT]);
    });
  });

  /** One copy of the body for each of its objects, with an unknown member in that object. */
  function withUnknownMembers(body: object): { path: string; changed: unknown }[] {
    const places: { path: string; changed: unknown }[] = [];
    const visit = (value: unknown, path: string, put: (changed: unknown) => unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if (!Array.isArray(value)) {
        const at = path === '' ? UNKNOWN : `${path}.${UNKNOWN}`;
        places.push({ path: at, changed: put({ ...value, [UNKNOWN]: 1 }) });
      }
      for (const [key, part] of Object.entries(value)) {
        const inPart = (changed: unknown) =>
          put(Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed });
        visit(part, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, inPart);
      }
    };
    visit(body, '', (changed) => changed);
    return places;
  }

  describe('reports', () => {
    it('unknown names together with other errors', async () => {
      const response = await admin
        .post('/documents/search?limit=1', { limit: 0, filtre: {}, filter: { fileid: 'x', fileId: 'x' } })
        .set('Prefer', STRICT);
      expectProblem(response, 'request.invalid', ['limit', 'filtre', 'filter.fileid', 'filter.fileId']);
      const list = await admin.get('/documents?limit=0&titel=x').set('Prefer', STRICT);
      expectProblem(list, 'request.invalid', ['limit', 'titel']);
    });

    it('unknown members of an amount of money', async () => {
      const money = { amount: '1.00', currency: 'EUR', curency: 'EUR' };
      const body = { title: 'x', documentTypeId: fixture.ids.documentTypeId, fields: { money } };
      const response = await admin.post('/documents', body).set('Prefer', STRICT);
      expectProblem(response, 'request.invalid', ['fields.money.curency']);
    });

    it('errors in German', async () => {
      const response = await admin
        .post('/tags?x=1', { name: 'Tag', nmae: 'Tag' })
        .set({ Prefer: STRICT, 'Accept-Language': 'de' });
      expect((response.body as { errors: object }).errors).toEqual({
        x: ['ist kein bekannter Parameter'],
        nmae: ['ist keine bekannte Eigenschaft'],
      });
    });

    it('the paths of names that are not identifiers, and of __proto__ at any depth', async () => {
      const send = (json: string) =>
        request(service.url)
          .post(`/api/v1/t/${tenant.slug}/documents`)
          .set({ ...fixture.authorization, 'Content-Type': 'application/json', Prefer: STRICT })
          .send(json);
      const response = await send('{"title":"x","a b":1,"__proto__":{"x":1},"fields":{"__proto__":1}}');
      expectProblem(response, 'request.invalid', ['["a b"]', '__proto__', 'fields.__proto__']);
      const query = await admin.get('/files?a%5Bb%5D=1&__proto__=1').set('Prefer', STRICT);
      expectProblem(query, 'request.invalid', ['["a[b]"]', '__proto__']);
    });

    it('at most 100 members', async () => {
      const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, n]));
      const response = await admin.post('/tags', { name: 'Many', ...body }).set('Prefer', STRICT);
      expect(Object.keys((response.body as { errors: object }).errors)).toHaveLength(100);
    });

    it('unknown names only after authentication, membership and permission', async () => {
      const test = (actor: Actor) => actor.post('/tags?x=1', { name: 'Tag', y: 1 }).set('Prefer', STRICT);
      expectProblem(await test(admin.withToken(null)), 'authentication.required');
      expectProblem(await test(await tenant.nonMember()), 'tenant.no-access');
      expectProblem(await test(await tenant.with('tags.read')), 'permission.missing');
    });
  });

  describe('for a form', () => {
    const post = (document: object) =>
      admin
        .post('/documents')
        .set('Prefer', STRICT)
        .field('document', JSON.stringify(document), { contentType: 'application/json' });

    it('returns 201 for known parts', async () => {
      const response = await post({ title: 'Form' }).attach('content', Buffer.from('text'), 'a.txt');
      expect([response.status, response.headers['preference-applied']]).toEqual([201, STRICT]);
    });

    it('returns 400 with the names of unknown parts, and stores nothing', () =>
      expectNoWrites(async () => {
        const response = await post({ title: 'Form' })
          .attach('content', Buffer.from('never stored'), 'a.txt')
          .field('contents', 'x')
          .field('a b', 'x');
        expectRejected('parts', response, 'contents', '["a b"]');
      }));

    it('returns 400 for an unknown member of its JSON part', () =>
      expectNoWrites(async () => {
        const response = await post({ title: 'Form', tagId: 'x' }).attach(
          'content',
          Buffer.from('x'),
          'a.txt',
        );
        expectRejected('member', response, 'tagId');
      }));

    it('returns 400 for an unknown part when content is replaced', () =>
      expectNoWrites(async () => {
        const response = await admin
          .put(`/documents/${fixture.ids.documentId}/content`)
          .set('Prefer', STRICT)
          .field('note', 'x')
          .attach('content', Buffer.from('x'), 'a.txt');
        expectRejected('part', response, 'note');
      }));
  });

  describe('is not applied', () => {
    it.each([
      'handling=lenient',
      'respond-async',
      'return=minimal, wait=10',
      'strict',
      '',
      'x="handling=strict"',
    ])('with Prefer: %s', async (prefer) => {
      const response = await admin.get('/files?x=1').set('Prefer', prefer);
      expect([response.status, response.headers['preference-applied']]).toEqual([200, undefined]);
    });

    it('without Prefer', async () => {
      const response = await admin.post('/tags?x=1', { name: 'Lenient', y: 1 });
      expect([response.status, response.headers['preference-applied']]).toEqual([201, undefined]);
    });
  });
});

describe('prefersStrict', () => {
  it.each([
    ['handling=strict', true],
    ['Handling = "Strict"', true],
    ['handling=strict; x=y', true],
    ['respond-async, wait=10, handling=strict', true],
    ['return=minimal; foo="a, b", handling=strict', true],
    ['handling=lenient, handling=strict', false],
    ['handling=strict, handling=lenient', true],
    ['handling', false],
    ['handling=', false],
    ['nohandling=strict', false],
    ['return="handling=strict"', false],
    ['return; handling=strict', false],
    ['"', false],
    [`${',"'.repeat(5000)}`, false],
  ])('for %s returns %s', (header, expected) => expect(prefersStrict(header)).toBe(expected));
});

describe('unknownMembers', () => {
  const money = { type: 'object', properties: { amount: { type: 'string' } } };
  const schemas = { Money: money, Node: { properties: { next: { $ref: '#/components/schemas/Node' } } } };
  const schema = {
    type: 'object',
    properties: {
      any: {},
      free: { type: 'object', additionalProperties: true },
      map: {
        type: 'object',
        additionalProperties: { oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/Money' }] },
      },
      list: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Money' }] } },
      node: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Node' }] },
      text: { type: 'string' },
    },
  };

  it.each<[unknown, string[]]>([
    [{}, []],
    [{ other: 1 }, ['other']],
    [{ any: { x: 1 }, free: { x: { y: 1 } }, map: { x: 'a' } }, []],
    [{ map: { x: { amount: '1', curency: 'EUR' } } }, ['map.x.curency']],
    [{ list: [{ amount: '1' }, { amont: '1' }, 5, null] }, ['list[1].amont']],
    [{ node: { next: { next: { prev: 1 } } } }, ['node.next.next.prev']],
    // A wrong type is not an unknown member; validation reports it.
    [{ text: { x: 1 }, node: null, list: 'x' }, []],
    [[{ x: 1 }], []],
    ['x', []],
  ])('for %j returns %j', (value, paths) => {
    expect(unknownMembers(value, schema as never, schemas as never)).toEqual(paths);
  });
});
