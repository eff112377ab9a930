import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ResponseObject } from '@nestjs/swagger';
import { OpenApiDocument } from '../../src/platform/documentation/openapi-document.js';
import { RouteTable } from '../../src/platform/http/pipeline/route-table.js';
import { saveClosedFile } from '../factories/disposals.js';
import { saveFile, saveFileType } from '../factories/files.js';
import { saveNumbering } from '../factories/numberings.js';
import { saveRetention } from '../factories/retentions.js';
import { type Actor } from '../support/actor.js';
import { service } from '../support/service/shared-service.js';
import { type TestTenant } from '../support/tenant.js';

/** A body for each operation that answers 201 or 202. */
const BODIES: Readonly<Record<string, (tenant: TestTenant, admin: Actor) => object | Promise<object>>> = {
  CreateFile: async (tenant) => ({
    fileTypeId: (await saveFileType(tenant)).id,
    number: randomUUID(),
    name: 'File',
  }),
  CreateNumberedFile: () => ({ name: 'File' }),
  CreateFileType: () => ({ key: 'akte', nameDe: 'Akte', nameEn: 'File' }),
  CreateDocument: () => ({ title: 'Letter' }),
  CreateDocumentType: () => ({ key: 'brief', nameDe: 'Brief', nameEn: 'Letter', fields: [] }),
  CreateTag: () => ({ name: 'Dringend' }),
  CreateSavedView: () => ({ name: 'View' }),
  CreateRole: () => ({ name: 'Clerk', permissions: [] }),
  AddMember: async (tenant) => ({
    issuer: tenant.service.issuer.url,
    subject: randomUUID(),
    roleId: await tenant.roleId('viewer'),
  }),
  CreateInvitation: async (tenant) => ({
    email: `${randomUUID()}@people.example`,
    roleId: await tenant.roleId('viewer'),
  }),
  CreateDisposal: async (tenant, admin) => {
    const { fileTypeId } = await saveClosedFile(tenant, admin);
    await saveRetention(tenant, fileTypeId, 'P1Y');
    return { name: 'Disposal', fileTypeId, dueBefore: '2026-01-01' };
  },
  CreateHold: () => ({ name: 'Hold', reason: 'Lawsuit' }),
  CreateWebhook: () => ({ url: 'https://receiver.example/events' }),
  CreateExport: () => ({ name: 'Export', all: true }),
  CreateAccessGrant: async (tenant, admin) => ({
    subjectType: 'User',
    subjectId: admin.userId,
    targetType: 'File',
    targetId: (await saveFile(tenant, admin)).id,
    level: 'Read',
  }),
};

/** Paths with ids. */
const PATHS: Readonly<Record<string, (tenant: TestTenant) => Promise<string>>> = {
  CreateNumberedFile: async (tenant) => {
    const { id } = await saveFileType(tenant);
    await saveNumbering(tenant, id, 'BAU-{seq}');
    return `/file-types/${id}/files`;
  },
};

const isCreation = (status: number | undefined) => status === 201 || status === 202;

describe('The Location of a created resource', () => {
  let tenant: TestTenant;
  let admin: Actor;
  beforeAll(async () => {
    tenant = await service.tenant();
    admin = await tenant.as('administrator');
  });

  const creations = () =>
    service.app.get(RouteTable).routes.filter(({ endpoint }) => isCreation(endpoint?.success));
  const pathOf = (operation: string) =>
    creations()
      .find(({ endpoint }) => endpoint?.operation === operation)
      ?.path.replace('/api/v1/t/:tenant', '') ?? '';

  it('is tested for each operation that answers 201 or 202', () => {
    expect(
      creations()
        .map(({ endpoint }) => endpoint?.operation)
        .sort(),
    ).toEqual(Object.keys(BODIES).sort());
  });

  it('is documented for each operation that answers 201 or 202', () => {
    const { paths } = service.app.get(OpenApiDocument).document;
    for (const { path, endpoint } of creations()) {
      const { responses } = paths[path.replace(/:(\w+)/g, '{$1}')]?.post ?? { responses: {} };
      expect([
        endpoint?.operation,
        (responses[String(endpoint?.success)] as ResponseObject).headers?.Location,
      ]).toEqual([endpoint?.operation, { $ref: '#/components/headers/Location' }]);
    }
  });

  it.each(Object.keys(BODIES))(
    'leads to the resource for %s, also in the response to a repeated request',
    async (operation) => {
      const key = randomUUID();
      const body = await BODIES[operation]?.(tenant, admin);
      const path = (await PATHS[operation]?.(tenant)) ?? pathOf(operation);
      const create = () => admin.post(path, body).set('Idempotency-Key', key);
      const created = await create();
      expect(isCreation(created.status)).toBe(true);
      const { location = '' } = created.headers;
      const prefix = `/api/v1/t/${tenant.slug}`;
      const { createdIn } =
        creations().find(({ endpoint }) => endpoint?.operation === operation)?.endpoint ?? {};
      const collection = createdIn === undefined ? path : `/${createdIn}`;
      expect(location).toMatch(new RegExp(`^${prefix}${collection}/[0-9a-f-]{36}$`));

      const found = await admin.get(location.slice(prefix.length));
      expect(found.status).toBe(200);
      expect(created.body).toMatchObject(found.body as object);

      const repeated = await create();
      expect([repeated.status, repeated.headers.location]).toEqual([created.status, location]);
    },
  );

  it('is the path of the collection, without the query, and the id', async () => {
    const response = await admin.post('/tags?x=1', { name: 'Query' });
    const { id } = response.body as { id: string };
    expect(response.headers.location).toBe(`/api/v1/t/${tenant.slug}/tags/${id}`);
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
