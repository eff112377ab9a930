import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveNumbering } from '../../factories/numberings.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('GetNextFileNumber', () => {
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

  it('returns 200 with the next number, and takes nothing', async () => {
    await saveFile(tenant, editor, { number: 'BAU-0041' });
    const before = await tenant.fingerprint();
    for (let n = 0; n < 2; n += 1) {
      const response = await editor.get(`/file-types/${fileTypeId}/next-number`);
      expect([response.status, response.body]).toEqual([200, { number: 'BAU-0042' }]);
    }
    expect(await tenant.fingerprint()).toEqual(before);
    expect(await numberOf()).toBe('BAU-0042');
  });

  it('returns 409 for a file type without a pattern', async () => {
    const { id } = await saveFileType(tenant);
    expectProblem(await editor.get(`/file-types/${id}/next-number`), 'numbering.none');
  });

  it('returns 409 when the next thousand numbers are in use', async () => {
    await numberOf();
    await service.query(
      `INSERT INTO files (tenant_id, id, file_type_id, number, number_key, name, search_text, search_starts, created_by)
         SELECT $1, gen_random_uuid(), $2, n, lower(n), 'x', 'x', '{}', $3
           FROM (SELECT 'BAU-' || lpad(g::text, 4, '0') AS n FROM generate_series(2, 1002) g) numbers`,
      [tenant.id, fileTypeId, editor.userId],
    );
    expectProblem(await editor.get(`/file-types/${fileTypeId}/next-number`), 'numbering.exhausted');
  });
});
