import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildField, saveDocumentType } from '../factories/document-types.js';
import { type Actor } from '../support/actor.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';
import { SmallHeapService } from './small-heap-service.js';
import { type TestTenant } from '../support/tenant.js';

const MIB = 1024 * 1024;
const MAX_RESPONSE = 8 * MIB;
/** These would end a process without limits on bytes. */
const [CLIENTS, DOCUMENTS, VIEWS] = [50, 150, 490];

interface TextResponse {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

interface Page {
  readonly items: { readonly id: string; readonly excerpt?: object | null }[];
  readonly nextCursor: string | null;
}

/** If responses exceed the memory of the process, it ends, and all later requests fail. */
describe('The limit on the size of responses', () => {
  let service: SmallHeapService;
  let tenant: TestTenant;
  let caller: Actor;
  beforeAll(async () => {
    service = await SmallHeapService.start({
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ...LONG_DATABASE_TIMEOUTS,
    });
  });
  beforeEach(async () => {
    tenant = await service.testService.tenant();
    caller = await tenant.as('administrator');
  });
  afterAll(() => service.stop());

  const pathOf = (path: string) => `/api/v1/t/${tenant.slug}${path}`;

  /** Returns the response, or fails when the process ends before it is complete. */
  async function get(path: string): Promise<TextResponse> {
    const headers = { Authorization: `Bearer ${caller.token}` };
    const response = await fetch(`${service.url}${pathOf(path)}`, { headers });
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  }

  /** Opens `count` connections that read only the beginning of their response. */
  function idle(count: number, path: string): Promise<Socket[]> {
    const { port, hostname } = new URL(service.url);
    const head = `GET ${pathOf(path)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.token}\r\n\r\n`;
    const begin = async () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(head);
      await once(socket, 'readable');
      return socket;
    };
    return Promise.all(Array.from({ length: count }, begin));
  }

  function pageOf({ status, text }: TextResponse): Page {
    expect(status).toBe(200);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_RESPONSE);
    return JSON.parse(text) as Page;
  }

  async function read(path: string, count = Infinity): Promise<Page[]> {
    const pages = [pageOf(await get(path))];
    for (let { nextCursor } = pages[0]!; nextCursor !== null && pages.length < count;) {
      const page = pageOf(await get(`${path}&cursor=${nextCursor}`));
      pages.push(page);
      nextCursor = page.nextCursor;
    }
    return pages;
  }

  const idsOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));

  /**
   * Creates documents with the given numbers of texts of 10 KB each. Returns their ids in the order of the list:
   * documents created at the same time are sorted by descending id. One letter outside of Latin-1 doubles the memory
   * that a text needs.
   */
  async function saveDocuments(textCounts: readonly number[]): Promise<string[]> {
    const fields = Array.from({ length: 100 }, (_, n) => buildField(`text${n}`));
    const type = await saveDocumentType(tenant, { fields });
    const documents = await service.testService.query<{ id: string }>(
      `INSERT INTO documents (tenant_id, id, title, document_type_id, status, is_confidential, created_by, fields)
       SELECT $1, gen_random_uuid(), 'Large', $2, 'Active', false, $3,
              (SELECT coalesce(jsonb_object_agg('text' || n, 'ж' || repeat('x', 9999)), '{}')
                 FROM generate_series(1, count) n)
         FROM unnest($4::int[]) AS count RETURNING id`,
      [tenant.id, type.id, caller.userId, textCounts],
    );
    return documents
      .map(({ id }) => id)
      .sort()
      .reverse();
  }

  it('shortens pages of large documents, also for concurrent requests and clients that do not read', async () => {
    const ids = await saveDocuments(Array.from({ length: DOCUMENTS }, () => 100));
    const path = '/documents?limit=150';
    const pages = await read(path, 3);
    expect(pages.map((page) => idsOf([page]))).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4, 6)]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(path)));
    for (const answer of answers) expect(idsOf([pageOf(answer)])).toEqual(ids.slice(0, 2));
    const sockets = await idle(CLIENTS, path);
    expect((await get('/me')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('neither omits nor repeats a document, whatever its size', async () => {
    // Sizes around the end of a page, which is at 105 texts.
    const ids = await saveDocuments([
      0, 1, 100, 4, 99, 1, 0, 52, 52, 52, 0, 0, 0, 30, 30, 30, 30, 100, 100, 0,
    ]);
    for (const limit of [1, 3, 20, 200]) {
      const pages = await read(`/documents?limit=${limit}`);
      expect(idsOf(pages)).toEqual(ids);
      expect(Math.max(...pages.map(({ items }) => items.length))).toBeLessThanOrEqual(limit);
    }
  });

  it('shortens pages of search results when excerpts need long texts', async () => {
    const made = await service.testService.query<{ id: string }>(
      `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
       SELECT $1, gen_random_uuid(), 'Long', 'Active', false, $2 FROM generate_series(1, 200) RETURNING id`,
      [tenant.id, caller.userId],
    );
    // The greatest length of a part of a text: 700 long words with separators of the same length.
    await service.testService.query(
      `INSERT INTO document_texts (tenant_id, document_id, part, created_at, text, vector)
       SELECT $1, d.id, 1, d.created_at, t.text, t.vector
         FROM documents d,
              (SELECT string_agg(repeat('字', 100), repeat('—', 100)) AS text,
                      string_agg('''' || 'w' || n || ''':' || n || 'A', ' ')::tsvector AS vector
                 FROM generate_series(1, 700) n) t
        WHERE d.tenant_id = $1`,
      [tenant.id],
    );
    const ids = made
      .map(({ id }) => id)
      .sort()
      .reverse();
    for (const order of ['newest', 'relevance']) {
      const pages = await read(`/documents?limit=200&q=w&order=${order}`, 3);
      const items = pages.flatMap((page) => page.items);
      expect(items.map(({ id }) => id)).toEqual(ids.slice(0, items.length));
      expect(items.every(({ excerpt }) => excerpt)).toBe(true);
      expect(items.length).toBeLessThan(60);
    }
  });

  it('streams saved views above the limit that an earlier release stored', async () => {
    const conditions = Array.from({ length: 20 }, () => ({
      fieldKey: 'note',
      operator: 'Contains',
      value: 'x'.repeat(10_000),
    }));
    const filter = { documentTypeId: null, fileId: null, tagIds: [], metadataConditions: conditions };
    const kept = await service.testService.query<{ id: string }>(
      `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
       SELECT $1, gen_random_uuid(), $2, 'view ' || n, 'view ' || n, $3::jsonb FROM generate_series(1001, 1000 + $4) n
       RETURNING id`,
      [tenant.id, caller.userId, JSON.stringify(filter), VIEWS],
    );
    const answers = await Promise.all([1, 2].map(() => get('/saved-views')));
    for (const { status, type, text } of answers) {
      const views = JSON.parse(text) as { id: string; filter: object }[];
      expect([status, type, views.map(({ id }) => id)]).toEqual([
        200,
        'application/json; charset=utf-8',
        kept.map(({ id }) => id),
      ]);
      expect(views.at(-1)?.filter).toEqual(filter);
    }
    const head = await fetch(`${service.url}${pathOf('/saved-views')}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${caller.token}` },
    });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ]);
    const sockets = await idle(CLIENTS, '/saved-views');
    expect((await get('/me')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('shortens pages of large document types without omitting one', async () => {
    const types = await service.testService.query<{ id: string }>(
      `INSERT INTO document_types (tenant_id, id, key, name_de, name_en, sort_key)
       SELECT $1, gen_random_uuid(), 'type' || n, 'Art ' || n, 'Type ' || n, 'art ' || n
         FROM generate_series(1001, 1200) n RETURNING id`,
      [tenant.id],
    );
    // Five fields with the greatest number of options for each type.
    await service.testService.query(
      `INSERT INTO document_type_fields (tenant_id, id, document_type_id, key, position, type, is_required, label_de,
                                         label_en, options)
       SELECT $1, gen_random_uuid(), t.id, 'field' || n, n, 'Enumeration', false, 'Feld', 'Field', o.options
         FROM document_types t, generate_series(1, 5) n,
              (SELECT jsonb_agg(jsonb_build_object('key', 'o' || k, 'labelDe', 'ж' || repeat('x', 199),
                                                   'labelEn', repeat('x', 200))) AS options
                 FROM generate_series(1, 500) k) o
        WHERE t.tenant_id = $1`,
      [tenant.id],
    );
    const pages = await read('/document-types?limit=200', 3);
    expect(pages).toHaveLength(3);
    const ids = idsOf(pages);
    expect(ids).toEqual(types.slice(0, ids.length).map(({ id }) => id));
  });
});
