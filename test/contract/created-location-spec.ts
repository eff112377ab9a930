import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ResponseObject } from '@nestjs/swagger';
import { OpenApiDocument } from '../../src/platform/documentation/openapi-document.js';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { saveNumbering } from '../factories/numberings.js';
import { type ApiRequest, ConformanceClient } from '../security/support/conformance-client.js';
import { identifierIn } from '../security/support/isolation-test.js';
import {
  createCrossTenantUsers,
  populateTenant,
  type PopulatedTenant,
} from '../security/support/populated-tenant.js';
import { tenantOperations } from '../security/support/tenant-operations.js';
import { type Actor } from '../support/actor.js';
import { service } from '../support/service/shared-service.js';

const isCreation = (status: number | undefined) => status === 201 || status === 202;

describe('The Location of a created resource', () => {
  let client: ConformanceClient;
  let populated: PopulatedTenant;
  let admin: Actor;
  beforeAll(async () => {
    client = new ConformanceClient(service.url, service.app.getHttpServer(), service.conformance);
    populated = await populateTenant(await service.tenant(), await createCrossTenantUsers(service));
    await saveNumbering(populated.tenant, identifierIn(populated, 'fileType'), 'BAU-{seq}');
    admin = await populated.tenant.as('administrator');
  });
  afterAll(() => client.stop());

  it('is documented for each operation that answers 201 or 202', () => {
    const { paths } = service.app.get(OpenApiDocument).document;
    const creations = service.app
      .get(RouteTable)
      .routes.filter(({ endpoint }) => isCreation(endpoint?.success));
    for (const { path, endpoint } of creations) {
      const { responses } = paths[path.replace(/:(\w+)/g, '{$1}')]?.post ?? { responses: {} };
      expect([
        endpoint?.operation,
        (responses[String(endpoint?.success)] as ResponseObject).headers?.Location,
      ]).toEqual([endpoint?.operation, { $ref: '#/components/headers/Location' }]);
    }
  });

  it('leads to the resource for each of them, also in the response to a repeated request', async () => {
    const { slug } = populated.tenant;
    const creations = tenantOperations(service).filter(({ endpoint }) => isCreation(endpoint.success));
    expect(creations.length).toBeGreaterThan(10);
    for (const { name, endpoint, templates } of creations) {
      const [template] = templates;
      const built = template?.build(slug, ({ resource }) => identifierIn(populated, resource));
      const request = { ...(built as ApiRequest), token: admin.token };
      const headers = { 'Idempotency-Key': randomUUID() };
      const created = await client.send({ ...request, headers });
      expect([name, created.status, created.json]).toEqual([name, endpoint.success, created.json]);
      const { location = '' } = created.headers;
      const collection =
        endpoint.createdIn === undefined ? request.path : `/api/v1/t/${slug}/${endpoint.createdIn}`;
      expect(location).toMatch(new RegExp(`^${collection}/[0-9a-f-]{36}$`));

      const found = await client.send({ method: 'GET', path: location, token: admin.token });
      expect(found.status).toBe(200);
      expect(created.json).toMatchObject(found.json as object);

      const repeated = await client.send({ ...request, headers });
      expect([repeated.status, repeated.headers.location]).toEqual([created.status, location]);
    }
  });

  it('is the path of the collection, without the query, and the id', async () => {
    const response = await admin.post('/tags?x=1', { name: 'Query' });
    const { id } = response.body as { id: string };
    expect(response.headers.location).toBe(`/api/v1/t/${populated.tenant.slug}/tags/${id}`);
  });

  it('is not in other responses', async () => {
    const { id } = (await admin.post('/tags', { name: 'Other' })).body as { id: string };
    for (const response of [
      await admin.get(`/tags/${id}`),
      await admin.put(`/tags/${id}`, { name: 'Another' }),
      await admin.post('/tags', { name: 'Another' }),
      await admin.post('/documents/search', {}),
    ])
      expect(response.headers.location).toBeUndefined();
  });
});
