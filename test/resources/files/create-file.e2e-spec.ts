import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ABSENT, bodyWith, textRules } from '../../support/operations/text-rules.js';

describe('CreateFile', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let body: { fileTypeId: string; number: string; name: string };
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda');
    body = { fileTypeId: (await saveFileType(tenant)).id, number: 'AZ-1', name: 'Feuerwache' };
  });

  for (const [member, max] of [
    ['name', 200],
    ['number', 64],
  ] as const) {
    textRules({
      tenant: () => tenant,
      member,
      max,
      body: () => ({ ...body, number: randomUUID() }),
      send: (changed) => editor.post('/files', changed),
      success: 201,
    });
  }
  idempotentCreation({
    actor: () => editor,
    permission: 'files.create',
    send: (actor, n) => actor.post('/files', { ...body, number: `AZ-${n}` }),
  });

  it('returns 201 with the open file and its entity tag, and writes an audit entry', async () => {
    const unknown = {
      id: 'x',
      status: 'Closed',
      createdAt: 'x',
      tenantId: 'x',
      searchText: 'x',
      toString: 1,
    };
    const response = await editor.post('/files', { ...body, ...unknown });
    expect(response.status).toBe(201);
    const { id, createdAt } = response.body as { id: string; createdAt: string };
    expect(response.body).toEqual({
      id,
      ...body,
      status: 'Open',
      createdAt,
      updatedAt: createdAt,
      closedAt: null,
    });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await tenant.audit()).toEqual([editor.entry('FileCreated', 'File', id, 'AZ-1: Feuerwache')]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await editor.get(`/files/${id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 201 to a caller with files.create who cannot read files', async () => {
    const creator = await tenant.with('files.create');
    const response = await creator.post('/files', { ...body, fileTypeId: body.fileTypeId.toUpperCase() });
    expect([response.status, response.body]).toMatchObject([201, body]);
    expectProblem(await creator.get('/files'), 'permission.missing');
  });

  it('returns 403 to a caller with only a Write grant on the type', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { fileType: body.fileTypeId }, { level: 'Write' });
    expectProblem(await guest.post('/files', body), 'permission.missing');
  });

  it.each([ABSENT, null, 5, true, {}, ['a'], '', 'x', '0199f7a46c1e7b529d2e3c5f0a1b2c3d', ' '])(
    'returns 400 for the fileTypeId %j',
    async (fileTypeId) => {
      const sent = bodyWith(body, 'fileTypeId', fileTypeId);
      await expectRefused(tenant, editor.post('/files', sent), 'request.invalid', ['fileTypeId']);
    },
  );

  it('returns 400 for a file type that is unknown or of another tenant, rather than 409', async () => {
    await editor.post('/files', body);
    const foreign = await saveFileType(await service.tenant());
    const before = await tenant.fingerprint();
    for (const fileTypeId of [randomUUID(), foreign.id, '00000000-0000-0000-0000-000000000000']) {
      expectProblem(await editor.post('/files', { ...body, fileTypeId }), 'request.invalid', ['fileTypeId']);
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 400 and lists all errors of the body together', async () => {
    const response = await editor.post('/files', { number: 'x'.repeat(65), name: ' ' });
    expectProblem(response, 'request.invalid', ['fileTypeId', 'name', 'number']);
  });

  it.each([
    ['az-1', 'AZ-1'],
    ['SS', 'ß'],
    ['ss', 'ẞ'],
    ['GRO\u0308SSE', 'Größe'],
    ['A\u030a', '\u00c5'],
    ['\u00e5', '\u212b'], // U+212B ANGSTROM SIGN
    ['i\u0307', 'İ'],
    ['σας', 'ΣΑΣ'],
    ['FFI', 'ﬃ'],
    ['k', '\u212a'], // U+212A KELVIN SIGN
    ['ꭰ', 'Ꭰ'],
    ['𐐨', '𐐀'],
    [' az 1 ', 'AZ 1'],
  ])('returns 409 for the number %s when %s is taken', async (number, existing) => {
    expect((await editor.post('/files', { ...body, number: existing })).status).toBe(201);
    await expectRefused(tenant, () => editor.post('/files', { ...body, number }), 'file.number-taken');
  });

  it('returns 201 for numbers that only look similar, or that another tenant has', async () => {
    const other = await service.tenant();
    await saveFile(other, await other.as('editor'), { number: 'AZ-1' });
    for (const number of ['AZ-1', 'AZ1', 'AZ‑1', 'АZ-1', 'AZ-01', 'ı', 'i', 'o', 'ö', 'ab', 'a b']) {
      expect((await editor.post('/files', { ...body, number })).status).toBe(201);
    }
  });

  it('returns 201 to exactly one of several concurrent requests, 409 to the others', async () => {
    const numbers = ['straße', 'STRASSE', 'Strasse', 'Straße'];
    const statuses = await Promise.all(
      numbers.map(async (number) => (await editor.post('/files', { ...body, number })).status),
    );
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    expect(await tenant.audit()).toHaveLength(1);
  });

  it('returns 201 for the number of a deleted file, 409 for that of a Closed file', async () => {
    const manager = await tenant.as('records_manager');
    const { id } = (await manager.post('/files', body)).body as { id: string };
    await manager.delete(`/files/${id}`);
    const again = (await manager.post('/files', body)).body as { id: string };
    await manager.post(`/files/${again.id}/close`);
    expectProblem(await manager.post('/files', body), 'file.number-taken');
  });

  it('returns 201 with the first answer for the same JSON in other white space or order of members', async () => {
    const key = randomUUID();
    const first = await editor.post('/files', body).set('Idempotency-Key', key);
    const { fileTypeId, number, name } = body;
    const other = JSON.stringify({ name, number, fileTypeId }, null, 2);
    const repeated = await editor.send('post', '/files').type('json').set('Idempotency-Key', key).send(other);
    expect([repeated.status, repeated.text]).toEqual([201, first.text]);
    const more = editor.post('/files', { ...body, unknown: 1 }).set('Idempotency-Key', key);
    expectProblem(await more, 'request.idempotency-conflict');
  });

  it('returns 201 with the first answer for an Idempotency-Key that release 0.2.0 stored', async () => {
    const key = randomUUID();
    const first = await editor.post('/files', body).set('Idempotency-Key', key);
    await service.query(`UPDATE idempotency_keys SET fingerprint = '/files ' || $2 WHERE tenant_id = $1`, [
      tenant.id,
      createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
    ]);
    expect((await editor.post('/files', body).set('Idempotency-Key', key)).text).toBe(first.text);
  });

  it('returns 201 with the first answer to a repeated Idempotency-Key after the file changed', async () => {
    const manager = await tenant.as('records_manager');
    const key = randomUUID();
    const first = await manager.post('/files', body).set('Idempotency-Key', key);
    const { id } = first.body as { id: string };
    await manager.put(`/files/${id}`, { name: 'Umbenannt' });
    expect((await manager.post('/files', body).set('Idempotency-Key', key)).text).toBe(first.text);
    await manager.delete(`/files/${id}`);
    expect((await manager.post('/files', body).set('Idempotency-Key', key)).text).toBe(first.text);
    expectProblem(await manager.get(`/files/${id}`), 'resource.not-found');
  });

  it('returns 201 for one Idempotency-Key in different operations and tenants', async () => {
    const key = randomUUID();
    const other = await service.tenant();
    const there = await other.addMember(editor, 'editor');
    const foreign = { ...body, fileTypeId: (await saveFileType(other)).id };
    expect((await editor.post('/files', body).set('Idempotency-Key', key)).status).toBe(201);
    expect((await there.post('/files', foreign).set('Idempotency-Key', key)).status).toBe(201);
    expect((await editor.post('/tags', { name: 'Tag' }).set('Idempotency-Key', key)).status).toBe(201);
  });

  it('checks the body (400) before the Idempotency-Key (409)', async () => {
    const key = randomUUID();
    await editor.post('/files', body).set('Idempotency-Key', key);
    const bad = editor.post('/files', { ...body, name: '' }).set('Idempotency-Key', key);
    expectProblem(await bad, 'request.invalid', ['name']);
  });
});
