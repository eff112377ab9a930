import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { textRules } from '../../support/operations/text-rules.js';

describe('CreateTag', () => {
  let tenant: TestTenant;
  let editor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda');
  });

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Dringend' }),
    send: (body) => editor.post('/tags', body),
    success: 201,
  });
  idempotentCreation({
    actor: () => editor,
    permission: 'tags.manage',
    send: (actor, n) => actor.post('/tags', { name: `Tag ${n}` }),
  });

  it('returns 201 with the tag and its entity tag, and writes an audit entry', async () => {
    const response = await editor.post('/tags', {
      name: 'Dringend',
      id: 'x',
      createdAt: null,
      constructor: 1,
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'Dringend',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(response.headers.etag).toMatch(/^"[^"]+"$/);
    const { id } = response.body as { id: string };
    expect(await tenant.audit()).toEqual([editor.entry('TagCreated', 'Tag', id, 'Dringend')]);
    expect(await tenant.notifications()).toEqual([]);
    expect(((await editor.get('/tags')).body as { items: unknown[] }).items).toEqual([response.body]);
  });

  it.each([
    ['dRINGEND', 'Dringend'],
    ['STRASSE', 'Straße'],
    ['GRO\u0308SSE', 'Größe'],
    ['i\u0307', 'İ'],
    ['σας', 'ΣΑΣ'],
  ])('returns 409 for the name %s when %s is taken', async (name, existing) => {
    expect((await editor.post('/tags', { name: existing })).status).toBe(201);
    await expectRefused(tenant, () => editor.post('/tags', { name }), 'tag.name-taken');
  });

  it('returns 201 for a name that only another tenant has, or that differs not only in case', async () => {
    const other = await service.tenant();
    await (await other.as('editor')).post('/tags', { name: 'Groß' });
    for (const name of ['Groß', 'Grob', 'Gröss', 'ı', 'i']) {
      expect((await editor.post('/tags', { name })).status).toBe(201);
    }
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const names = ['eilt', 'Eilt', 'EILT', 'eILT'];
    const statuses = await Promise.all(
      names.map(async (name) => (await editor.post('/tags', { name })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });
});
