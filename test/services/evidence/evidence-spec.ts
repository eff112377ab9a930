import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { recordTags } from '../../platform/events/event-log.js';
import { proofOf, treeComplete } from '../../resources/audit-log/evidence/evidence-fixture.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

const SOURCE = fileURLToPath(new URL('verify.go', import.meta.url));
/** Where Debian's package golang-golang-x-mod-dev installs the library. */
const GOPATH = '/usr/share/gocode';

describe('The package golang.org/x/mod/sumdb', () => {
  let service: TestService;
  let tenant: TestTenant;
  let auditor: Actor;
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'filing-evidence-'));
    program = path.join(folder, 'verify');
    const env = { ...process.env, GOPATH, GO111MODULE: 'off', GOCACHE: path.join(folder, 'cache') };
    await promisify(execFile)('go', ['build', '-o', program, SOURCE], { env });
    service = await TestService.start();
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const text = async (target: string) => (await auditor.get(target).expect(200)).text;

  async function run(input: object): Promise<{ code: number; output: string }> {
    const child = execFile(program);
    let output = '';
    child.stdout?.on('data', (chunk: string) => (output += chunk));
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    child.stdin?.end(JSON.stringify(input));
    return { code: await ended, output };
  }

  it('accepts checkpoint, inclusion proof and consistency proof, and refuses changed ones', async () => {
    await recordTags(tenant, 299);
    await treeComplete(tenant);
    const earlier = await text('/audit-log/checkpoint');
    await recordTags(tenant, 700);
    const events = await treeComplete(tenant);
    const key = (await text('/audit-log/keys')).trim();
    const response = await auditor.get('/audit-log/consistency?from=300&to=1000').expect(200);
    const consistency = (response.body as { hashes: string[] }).hashes;
    for (const sequence of [0, 255, 256, 511, 700, 999]) {
      const { leaf, hashes, checkpoint } = await proofOf(auditor, events[sequence]!.entry_id);
      const input = { key, earlier, checkpoint, leaf, sequence, inclusion: hashes, consistency };
      expect(await run(input)).toEqual({
        code: 0,
        output: `leaf ${sequence} is in the tree of size 1000, which continues that of size 300\n`,
      });
      for (const changed of [
        { leaf: leaf.replace('TagCreated', 'TagDeleted').replace('TenantCreated', 'TagDeleted') },
        { sequence: sequence === 0 ? 1 : sequence - 1 },
        { consistency: consistency.toReversed() },
        { checkpoint: checkpoint.replace('\n1000\n', '\n1001\n') },
      ])
        expect(await run({ ...input, ...changed })).toMatchObject({ code: 1 });
    }
  });
});
