import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type SchemaObject } from '@nestjs/swagger';
import { Problem } from '../../src/common/problem.js';
import { OpenApiDocument } from '../../src/platform/documentation/openapi-document.js';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { ValidationPipe } from '../../src/platform/http/input/validation.pipe.js';
import { AUDIT_ACTIONS } from '../../src/common/vocabulary/audit.js';
import { ALL_PERMISSIONS } from '../../src/common/vocabulary/permissions.js';
import { service } from '../support/service/shared-service.js';
import { BadInputFixture } from '../security/bad-input/support/bad-input-fixture.js';
import {
  type DescribedOperation,
  describedOperations,
} from '../security/bad-input/support/described-operations.js';
import { type BoundProbe, probesOf } from './bound-probes.js';
import { pathText, replaced } from './json-path.js';
import { type Schemas } from './schema-shape.js';

/** Returns 409 instead of 400 for an invalid slug. */
const CHANGE_SLUG = 'ChangeTenantSlug';
/** Longer values exceed the limit of the request line. */
const MAX_QUERY_LENGTH = 5000;

/** The service must enforce the documented bounds, and the document must contain the enforced ones. */
describe('The OpenAPI document', () => {
  let fixture: BadInputFixture;
  let schemas: Schemas;
  let operations: DescribedOperation[];
  beforeAll(async () => {
    const document = service.app.get(OpenApiDocument).document;
    schemas = document.components?.schemas as Schemas;
    operations = describedOperations(document).filter(({ id }) => id !== CHANGE_SLUG);
    fixture = await BadInputFixture.create(service);
  });

  function refusedPaths(dto: unknown, body: unknown): string[] {
    try {
      new ValidationPipe().transform(body, { type: 'body', metatype: dto as new () => object });
      return [];
    } catch (error) {
      if (error instanceof Problem) return Object.keys(error.wording('en').errors ?? {});
      throw error;
    }
  }

  const isAbout =
    (path: string, { parts }: BoundProbe) =>
    (refused: string) =>
      refused === path || (parts && (refused.startsWith(`${path}[`) || refused.startsWith(`${path}.`)));

  const mismatch = (id: string, path: string, { value, isRefused }: BoundProbe) =>
    `${id} ${isRefused ? 'accepts' : 'refuses'} ${path}: ${JSON.stringify(value).slice(0, 40)}`;

  it.each(['NewDocument', 'UpdateDocumentBody'])('describes the values of fields in %s', (name) => {
    const { fields } = schemas[name]?.properties ?? {};
    const isValid = (value: unknown) =>
      service.conformance.schemaErrors(fields as SchemaObject, { note: value }).length === 0;
    const money = { amount: '1234.50', currency: 'EUR' };
    expect(['', 'x', 12.5, money, null].filter((value) => !isValid(value))).toEqual([]);
    expect([true, [], {}, { amount: 1, currency: 'EUR' }].filter(isValid)).toEqual([]);
  });

  it('lists the current values of enumerations in responses', () => {
    const { permissions } = schemas.TenantMe?.properties ?? {};
    const { action, subjectType } = schemas.AuditEntry?.properties ?? {};
    expect(permissions?.items?.enum).toEqual(ALL_PERMISSIONS);
    expect(action?.enum).toEqual(Object.keys(AUDIT_ACTIONS));
    expect(subjectType?.enum).toEqual([...new Set(Object.values(AUDIT_ACTIONS))]);
    for (const schema of [permissions, action, subjectType])
      expect(schema?.description).toContain('Later versions can have more values');
  });

  it('has the enforced bounds of bodies', () => {
    const dtos = new Map(
      service.app.get(RouteTable).routes.map(({ endpoint }) => [endpoint?.operation, endpoint?.body]),
    );
    const wrong = new Set<string>();
    let count = 0;
    for (const operation of operations) {
      if (!operation.body) continue;
      for (const body of fixture.bodies(operation)) {
        for (const probe of probesOf(operation.body, body, schemas)) {
          count += 1;
          const path = pathText(probe.path);
          const refused = refusedPaths(dtos.get(operation.id), replaced(body, probe.path, probe.value));
          if (refused.some(isAbout(path, probe)) !== probe.isRefused)
            wrong.add(mismatch(operation.id, path, probe));
        }
      }
    }
    expect([...wrong]).toEqual([]);
    expect(count).toBeGreaterThan(300);
  });

  it('has the enforced bounds of query parameters', async () => {
    const wrong: string[] = [];
    let count = 0;
    for (const operation of operations) {
      for (const { name, shape } of operation.query) {
        const current = shape.types.includes('array') ? [randomUUID()] : undefined;
        for (const probe of probesOf(shape, current, schemas, [name])) {
          const value = String(probe.value);
          if (value.length > MAX_QUERY_LENGTH) continue;
          count += 1;
          const target = `${fixture.target(operation)}?${new URLSearchParams({ [name]: value }).toString()}`;
          const { method } = operation;
          const answer = await fetch(`${service.url}${target}`, {
            method,
            headers: fixture.headers(operation),
          });
          const { errors = {} } = answer.status === 400 ? ((await answer.json()) as { errors?: object }) : {};
          // Closes a stream.
          if (!answer.bodyUsed) await answer.body?.cancel();
          if (name in errors !== probe.isRefused) wrong.push(mismatch(operation.id, name, probe));
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
