import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recordTags } from '../../platform/events/event-log.js';
import { exported, treeComplete } from '../../resources/audit-log/evidence/evidence-fixture.js';
import { type Actor } from '../../support/actor.js';
import { ServiceProcess } from '../../support/service/service-process.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('npm run verify-audit', () => {
  let service: TestService;
  let tenant: TestTenant;
  let auditor: Actor;

  beforeAll(async () => {
    service = await TestService.start();
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await recordTags(tenant, 9);
    await treeComplete(tenant);
  });
  afterAll(() => service.stop());

  const text = async (target: string) => (await auditor.get(target).expect(200)).text;

  async function saved(name: string, content: string): Promise<string> {
    const file = path.join(service.dataDirectory, name);
    await writeFile(file, content);
    return file;
  }

  /** Without a usable configuration, which the command does not need. */
  const verify = (...args: string[]) =>
    ServiceProcess.run({ PORT: 'none' }, 'tools/cli/verify-audit', ...args);

  it('verifies an export, before and after npm run new-log', async () => {
    const keys = (await text('/audit-log/keys')).trim();
    const note = await text('/audit-log/checkpoint');
    const [origin = '', , root = ''] = note.split('\n');
    const earlier = await saved('earlier.txt', note);
    const lines = await exported(auditor);
    const file = await saved('export.ndjson', `${lines.join('\n')}\n`);
    const summary = `10 entries of ${origin}, root ${root}\n`;
    const accepted = { code: 0, output: `Verified: ${summary}`, errors: '' };
    expect(await verify(file, '--key', keys)).toEqual(accepted);
    expect(await verify(file, '--key', keys, '--checkpoint', earlier)).toEqual(accepted);

    const partial = await saved('partial.ndjson', (await exported(auditor, '?fromSize=4')).join('\n'));
    expect(await verify(partial, '--key', keys)).toEqual({
      ...accepted,
      output: `${accepted.output}The export does not contain the entries before 4.\n`,
    });

    const changed = lines.map((line, index) =>
      index === 6 ? line.replace('TagCreated', 'TagDeleted') : line,
    );
    expect(await verify(await saved('changed.ndjson', changed.join('\n')), '--key', keys)).toEqual({
      ...{ code: 1, errors: '' },
      output: `Entry 5 was altered.\nNOT VERIFIED: ${summary}`,
    });
    expect(await verify(await saved('cut.ndjson', lines.slice(0, -1).join('\n')), '--key', keys)).toEqual({
      ...{ code: 1, errors: '' },
      output: 'The export is incomplete: its last line is missing.\n',
    });

    expect(await service.run('tools/cli/new-log')).toMatchObject({
      code: 0,
      output: '1 event logs have a new id.\n',
    });
    const newer = await saved('newer.ndjson', (await exported(auditor)).join('\n'));
    const bothKeys = (await text('/audit-log/keys'))
      .trim()
      .split('\n')
      .flatMap((key) => ['--key', key]);
    expect(await verify(newer, ...bothKeys, '--checkpoint', earlier)).toMatchObject({ code: 1 });
    expect(await verify(newer, ...bothKeys, '--checkpoint', earlier, '--continues', origin)).toMatchObject({
      ...{ code: 0, errors: '' },
      output: expect.stringMatching(/^Verified: 10 entries of /),
    });
  }, 300_000);

  it.each([
    ['without a key', ['export.ndjson'], 'Give at least one --key. See --help.\n'],
    ['with an invalid key', ['export.ndjson', '--key', 'x'], 'x is not a verifier key. See --help.\n'],
  ])('refuses a call %s', async (_, args, errors) =>
    expect(await verify(...args)).toEqual({ code: 2, output: '', errors }),
  );
});
