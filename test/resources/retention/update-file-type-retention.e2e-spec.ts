import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFile, saveFileType } from '../../factories/files.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { conditionalWrites } from '../../support/operations/conditional-writes.js';
import { ABSENT, bodyWith } from '../../support/operations/text-rules.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('UpdateFileTypeRetention', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let type: { id: string; key: string };
  let path: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    type = await saveFileType(tenant);
    path = `/file-types/${type.id}/retention`;
  });
  const body = { period: 'P10Y', startsAt: 'EndOfYearOfClosing', disposition: 'Transfer' };
  conditionalWrites({
    actor: () => manager,
    path: () => path,
    send: (actor, at) => actor.put(at, body),
    success: 200,
  });

  it('returns 200 with the rule, and writes an audit entry', async () => {
    const response = await manager.put(path, { ...body, period: ' P10Y ' });
    expect([response.status, response.body]).toEqual([200, body]);
    expect(await tenant.audit()).toEqual([
      manager.entry(
        'FileTypeRetentionChanged',
        'FileType',
        type.id,
        `${type.key}: –, Closing, Review → P10Y, EndOfYearOfClosing, Transfer`,
      ),
    ]);
    expect(await tenant.notifications()).toEqual([]);
    const read = await manager.get(path);
    expect([read.text, read.headers.etag]).toEqual([response.text, response.headers.etag]);
  });

  it('returns 200 and writes nothing when nothing changes', async () => {
    const unset = { period: null, startsAt: 'Closing', disposition: 'Review' };
    const empty = await tenant.fingerprint();
    expect((await manager.put(path, unset)).body).toEqual(unset);
    expect(await tenant.fingerprint()).toEqual(empty);
    await manager.put(path, body);
    expect((await tenant.expectNoChange(() => manager.put(path, body))).body).toEqual(body);
  });

  it.each(['P1M', 'P999M', 'P1000M', 'P1200M', 'P1Y', 'P99Y', 'P100Y'])(
    'returns 200 for the period %s',
    async (period) => {
      expect((await manager.put(path, { ...body, period })).body).toEqual({ ...body, period });
    },
  );

  it.each([
    [
      '',
      'P',
      '10Y',
      'p10y',
      'P10',
      'P0Y',
      'P0M',
      'P01Y',
      'P1201M',
      'P101Y',
      'P1Y6M',
      'P1.5Y',
      'P1,5Y',
      '-P1Y',
    ],
    ['P-1Y', 'P1W', 'P30D', 'PT10M', 'P1YT1H', 'P10Y/P1Y', 'P１Y', 'P1Y\n P1Y', 10, true, {}, ['P1Y']],
  ])('returns 400 for a period that is not one, such as %j', async (...periods) => {
    const before = await tenant.fingerprint();
    for (const period of periods)
      expectProblem(await manager.put(path, { ...body, period }), 'request.invalid', ['period']);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it.each([
    ['startsAt', ABSENT],
    ['startsAt', null],
    ['startsAt', 'Opening'],
    ['disposition', ABSENT],
    ['disposition', null],
    ['disposition', 'destroy'],
  ])('returns 400 when %s is %p', async (member, value) => {
    const response = await tenant.expectNoChange(() => manager.put(path, bodyWith(body, member, value)));
    expectProblem(response, 'request.invalid', [member]);
  });

  it('returns 200 without a period for an absent period', async () => {
    await manager.put(path, body);
    expect((await manager.put(path, bodyWith(body, 'period', ABSENT))).body).toEqual({
      ...body,
      period: null,
    });
  });

  it('applies to all files of the type at once, and to no other type', async () => {
    const file = await saveFile(tenant, manager, { fileTypeId: type.id, status: 'Closed' });
    const other = await saveFile(tenant, manager, { status: 'Closed' });
    const stateOf = async ({ id }: { id: string }) =>
      ((await manager.get(`/files/${id}/retention`)).body as { state: string }).state;
    await manager.put(path, body);
    expect([await stateOf(file), await stateOf(other)]).toEqual(['Running', 'None']);
    await manager.put(path, { ...body, period: null });
    expect(await stateOf(file)).toBe('None');
  });
});
