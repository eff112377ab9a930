import { beforeEach, describe, expect, it } from '@jest/globals';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { checkpointOf, opened, proofOf, treeComplete } from './evidence-fixture.js';
import { rootsByConsistency } from './rfc-9162.js';

describe('GetAuditConsistency', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    await treeComplete(tenant);
  });

  async function hashes(query: string): Promise<Buffer[]> {
    const { hashes: found } = (await auditor.get(`/audit-log/consistency?${query}`).expect(200)).body as {
      hashes: string[];
    };
    return found.map((hash) => Buffer.from(hash, 'base64'));
  }

  it('returns 200 with a valid proof between any two sizes, and writes nothing', async () => {
    await recordTags(tenant, 600);
    const [first] = await treeComplete(tenant);
    const roots = new Map<number, Buffer>();
    for (const size of [1, 2, 255, 256, 257, 511, 512, 600, 601]) {
      const { checkpoint } = await proofOf(auditor, first!.entry_id, `?size=${size}`);
      roots.set(size, (await opened(auditor, checkpoint)).root);
    }
    expect(roots.get(601)).toEqual((await checkpointOf(auditor)).root);
    const before = await tenant.fingerprint();
    for (const [from, root] of roots) {
      for (const [to, later] of roots) {
        if (to <= from) continue;
        const found = rootsByConsistency(from, to, await hashes(`from=${from}&to=${to}`), root);
        expect({ from, to, found }).toEqual({ from, to, found: [root, later] });
      }
    }
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 without hashes from the empty tree, or to the same size', async () => {
    expect(await hashes('from=0&to=1')).toEqual([]);
    expect(await hashes('from=1&to=1')).toEqual([]);
    expect(await hashes('')).toEqual([]);
  });

  it.each([
    ['from=2&to=1', 'from'],
    ['to=2', 'to'],
    ['from=9007199254740991', 'from'],
    ['from=-1', 'from'],
    ['from=1.5', 'from'],
    ['from=', 'from'],
    ['to=x', 'to'],
    ['to=9007199254740992', 'to'],
  ])('returns 400 for the query %s', async (query, name) =>
    expectProblem(await auditor.get(`/audit-log/consistency?${query}`), 'request.invalid', [name]),
  );

  it('returns 400 for a size above that of the tree, until the entry has a leaf', async () => {
    await tenant.query('DELETE FROM audit_trees WHERE tenant_id = $1');
    expectProblem(await auditor.get('/audit-log/consistency?to=1'), 'request.invalid', ['to']);
  });
});
