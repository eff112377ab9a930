import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveNumbering } from '../../factories/numberings.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { idempotentCreation } from '../../support/operations/idempotent-creation.js';
import { textRules } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('CreateNumberedFile', () => {
  let tenant: TestTenant;
  let editor: Actor;
  let fileTypeId: string;
  let path: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor', 'Edda');
    fileTypeId = (await saveFileType(tenant)).id;
    path = `/file-types/${fileTypeId}/files`;
    await saveNumbering(tenant, fileTypeId, 'BAU-{seq:4}');
  });
  const numberOf = async (actor = editor) =>
    ((await actor.post(path, { name: 'x' })).body as { number: string }).number;

  textRules({
    tenant: () => tenant,
    member: 'name',
    max: 200,
    body: () => ({ name: 'Feuerwache' }),
    send: (body) => editor.post(path, body),
    success: 201,
  });
  idempotentCreation({
    actor: () => editor,
    permission: 'files.create',
    send: (actor, n) => actor.post(path, { name: `Feuerwache ${n}` }),
    failing: (actor) => actor.post(path, {}),
  });

  it('returns 201 with the numbered file, its location and entity tag, and writes an audit entry', async () => {
    const response = await editor.post(path, { name: 'Feuerwache', number: 'A-9' }).expect(201);
    const { id, createdAt } = response.body as { id: string; createdAt: string };
    expect(response.body).toEqual({
      id,
      fileTypeId,
      number: 'BAU-0001',
      name: 'Feuerwache',
      status: 'Open',
      createdAt,
      updatedAt: createdAt,
      closedAt: null,
    });
    expect(response.headers.location).toBe(`/api/v1/t/${tenant.slug}/files/${id}`);
    expect(await tenant.audit()).toEqual([editor.entry('FileCreated', 'File', id, 'BAU-0001: Feuerwache')]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await editor.get(`/files/${id}`);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
    const { items } = (await editor.get('/files?q=BAU-0001')).body as { items: object[] };
    expect(items).toHaveLength(1);
  });

  it('returns 409 for a file type without a pattern', async () => {
    const { id } = await saveFileType(tenant);
    await expectRefused(tenant, editor.post(`/file-types/${id}/files`, { name: 'x' }), 'numbering.none');
  });

  it('starts after the greatest number in use, whatever its case, width, type and visibility', async () => {
    for (const number of ['bau-0007', 'BAU-12', 'BAU-12a', 'BAU-', 'XBAU-0099', `BAU-${'9'.repeat(16)}`])
      await saveFile(tenant, editor, { number, fileTypeId: (await saveFileType(tenant)).id });
    const creator = await tenant.with('files.create');
    expect(await numberOf(creator)).toBe('BAU-0013');
  });

  it('skips numbers in use, and never gives that of a deleted file', async () => {
    const first = (await editor.post(path, { name: 'x' })).body as { id: string };
    await saveFile(tenant, editor, { number: 'BAU-0002' });
    const manager = await tenant.as('records_manager');
    expect((await manager.delete(`/files/${first.id}`)).status).toBe(204);
    expect([await numberOf(), await numberOf()]).toEqual(['BAU-0003', 'BAU-0004']);
  });

  it('returns 409 when the next thousand numbers are in use, until the counter is moved', async () => {
    await numberOf();
    await service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
         SELECT $1, gen_random_uuid(), $2, n, lower(n), 'x', 'x', '{}', $3
           FROM (SELECT 'BAU-' || lpad(g::text, 4, '0') AS n FROM generate_series(2, 1002) g) numbers`,
      [tenant.id, fileTypeId, editor.userId],
    );
    await expectRefused(tenant, editor.post(path, { name: 'x' }), 'numbering.exhausted');
    const manager = await tenant.as('records_manager');
    await manager.put(`/file-types/${fileTypeId}/numbering`, { pattern: 'BAU-{seq:4}', next: 3 });
    expect(await numberOf()).toBe('BAU-1003');
  });

  it('returns 409 when the number would be too long for a file', async () => {
    const manager = await tenant.as('records_manager');
    const pattern = `${'x'.repeat(63)}{seq}`;
    await manager.put(`/file-types/${fileTypeId}/numbering`, { pattern, next: 9 });
    expect(await numberOf()).toBe(`${'x'.repeat(63)}9`);
    expectProblem(await editor.post(path, { name: 'x' }), 'numbering.exhausted');
  });

  it('gives a number to a file although another request takes the same number by hand', async () => {
    const byHand = ['BAU-0001', 'BAU-0002', 'BAU-0003', 'BAU-0004'].map((number) =>
      editor.post('/files', { fileTypeId, number, name: 'by hand' }),
    );
    const numbered = Array.from({ length: 6 }, () => editor.post(path, { name: 'numbered' }));
    const answers = await Promise.all([...byHand, ...numbered]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(4)).toEqual([201, 201, 201, 201, 201, 201]);
    const numbers = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => (body as { number: string }).number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
