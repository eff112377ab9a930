import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument, saveVersion } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('npm run reprocess', () => {
  let service: TestService;
  let tenant: TestTenant;
  let editor: Actor;
  let failed: string;
  let none: string;
  let available: string;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    editor = await tenant.as('editor');
    const other = await service.tenant();
    await saved('None', other, await other.as('editor'));
    failed = await saved('Failed');
    none = await saved('None');
    available = await saved('Available');
    const deleted = await saved('None');
    await (await tenant.as('administrator')).delete(`/documents/${deleted}`).expect(204);
  });

  async function saved(text: string, of = tenant, creator = editor): Promise<string> {
    const { id } = await saveDocument(of, creator, { status: 'Active' });
    await saveVersion(of, creator, id, { bytes: `Der Text ${id}`, fileName: 'text.txt' });
    await service.query(
      `UPDATE documents SET content_text = $3, content_failure = CASE WHEN $3 = 'Failed' THEN 'Corrupted' END
        WHERE tenant_id = $1 AND id = $2`,
      [of.id, id, text],
    );
    return id;
  }

  const reprocess = (...args: string[]) => service.run('tools/cli/reprocess', ...args);

  const pending = async () => {
    const rows = await service.query<{ id: string }>(
      `SELECT id FROM documents WHERE content_text = 'Pending' ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  };

  it('has the contents without text read again, and no others', async () => {
    const audit = await tenant.audit();
    expect(await reprocess('--tenant', tenant.slug)).toEqual({
      code: 0,
      output: '2 documents will be read again.\n',
      errors: '',
    });
    expect(await pending()).toEqual([failed, none].sort());
    await service.runJobs();
    expect(await pending()).toEqual([]);
    for (const id of [failed, none]) {
      expect((await editor.get(`/documents/${id}`)).body).toMatchObject({
        status: 'Active',
        content: { text: 'Available', failure: null },
      });
    }
    expect(await tenant.audit()).toEqual(audit);
    expect((await reprocess('--tenant', tenant.slug)).output).toBe('0 documents will be read again.\n');
  });

  it('has the contents in the given states read again', async () => {
    const { output } = await reprocess('--tenant', tenant.slug, '--text', 'Available', '--text', 'Failed');
    expect(output).toBe('2 documents will be read again.\n');
    expect(await pending()).toEqual([failed, available].sort());
    await service.runJobs();
  });

  it.each([
    [['--tenant', 'no-such-tenant'], 'The tenant no-such-tenant does not exist.'],
    [[], '--tenant is missing.'],
    [['--tenant', 'demo', '--text', 'Pending'], '--text must be one of Available, None, Failed.'],
  ])('with %j ends with a message', async (args, message) => {
    const { code, errors } = await reprocess(...args);
    expect(code).toBe(2);
    expect(errors).toContain(message);
    expect(await pending()).toEqual([]);
  });
});
