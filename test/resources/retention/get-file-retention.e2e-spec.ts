import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { saveAccessGrant } from '../../factories/access-grants.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { saveHold } from '../../factories/holds.js';
import { saveRetention } from '../../factories/retentions.js';
import { type Actor } from '../../support/actor.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

/** Midnight is at 22:00 or 23:00 UTC. */
const TIME_ZONE = 'Europe/Berlin';

describe('GetFileRetention', () => {
  let service: TestService;
  let tenant: TestTenant;
  let viewer: Actor;
  let fileTypeId: string;
  let fileId: string;
  beforeAll(async () => {
    service = await TestService.start({ TIME_ZONE });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    tenant = await service.tenant();
    viewer = await tenant.as('viewer');
    fileTypeId = (await saveFileType(tenant)).id;
    fileId = (await saveFile(tenant, viewer, { fileTypeId })).id;
  });
  const get = async (actor = viewer) => (await actor.get(`/files/${fileId}/retention`)).body as object;
  /** Closes the file at an SQL expression for a time. */
  const close = (time: string) =>
    tenant.query(
      `UPDATE files SET status = 'Closed', closed_at = ${time} WHERE tenant_id = $1 AND id = $2`,
      fileId,
    );
  const keepUntil = (date: string | null) =>
    tenant.query('UPDATE files SET keep_until = $3 WHERE tenant_id = $1 AND id = $2', fileId, date);

  it('returns 200 with the state None for a file whose type has no rule', async () => {
    await close('now()');
    const response = await viewer.get(`/files/${fileId}/retention`);
    expect([response.status, response.body]).toEqual([
      200,
      { state: 'None', dueOn: null, disposition: null, keepUntil: null, isHeld: false },
    ]);
    await saveRetention(tenant, fileTypeId, null);
    expect(await get()).toEqual(response.body);
  });

  it('returns 200 to a guest with a grant on the file', async () => {
    const guest = await tenant.as('guest');
    await saveAccessGrant(tenant, guest, { file: fileId });
    expect(await get(guest)).toMatchObject({ state: 'None' });
  });

  it('returns 200 with the state Open for an open file, and again after it was reopened', async () => {
    await saveRetention(tenant, fileTypeId, 'P10Y', 'Closing', 'Review');
    const open = { state: 'Open', dueOn: null, disposition: 'Review', keepUntil: null, isHeld: false };
    expect(await get()).toEqual(open);
    const manager = await tenant.as('records_manager');
    await manager.post(`/files/${fileId}/close`).expect(200);
    expect(await get()).toMatchObject({ state: 'Running' });
    await manager.post(`/files/${fileId}/reopen`).expect(200);
    expect(await get()).toEqual(open);
  });

  it.each([
    ['P10Y', 'Closing', '2014-06-15T12:00Z', '2024-06-15'],
    ['P10Y', 'EndOfYearOfClosing', '2014-06-15T12:00Z', '2024-12-31'],
    // The last day of the year in Berlin, and the first one of the next.
    ['P1Y', 'EndOfYearOfClosing', '2014-12-31T22:59Z', '2015-12-31'],
    ['P1Y', 'EndOfYearOfClosing', '2014-12-31T23:00Z', '2016-12-31'],
    ['P1M', 'Closing', '2014-01-31T22:59Z', '2014-02-28'],
    ['P1M', 'Closing', '2014-01-31T23:00Z', '2014-03-01'],
    // Summer time
    ['P1M', 'Closing', '2014-06-30T21:59Z', '2014-07-30'],
    ['P1M', 'Closing', '2014-06-30T22:00Z', '2014-08-01'],
    ['P4Y', 'Closing', '2012-02-29T12:00Z', '2016-02-29'],
    ['P1Y', 'Closing', '2012-02-29T12:00Z', '2013-02-28'],
    ['P6M', 'EndOfYearOfClosing', '2014-06-15T12:00Z', '2015-06-30'],
    ['P120M', 'Closing', '2014-06-15T12:00Z', '2024-06-15'],
  ] as const)('returns 200 for %s after %s of %s with dueOn %s', async (period, startsAt, time, dueOn) => {
    await saveRetention(tenant, fileTypeId, period, startsAt);
    await close(`'${time}'`);
    expect(await get()).toMatchObject({ state: 'Due', dueOn });
  });

  it.each([
    ['P100Y', 'P1200M'],
    ['P5Y', 'P60M'],
  ])('returns 200 with the same dueOn for %s and %s', async (years, months) => {
    await close('now()');
    await saveRetention(tenant, fileTypeId, years);
    const first = await get();
    await saveRetention(tenant, fileTypeId, months);
    expect(await get()).toEqual(first);
  });

  it('returns 200 with the state Due from the day after dueOn, by the clock of the database', async () => {
    await saveRetention(tenant, fileTypeId, 'P1M');
    /** Local noon of the day that was so many days before today, minus a month. */
    const daysAgo = (days: number) =>
      `((now() AT TIME ZONE '${TIME_ZONE}')::date + interval '12 hours' - interval '1 month' - interval '${days} days')
        AT TIME ZONE '${TIME_ZONE}'`;
    await close(daysAgo(4));
    expect(await get()).toMatchObject({ state: 'Due' });
    await close(daysAgo(-1));
    expect(await get()).toMatchObject({ state: 'Running' });
  });

  it('returns 200 with the later one of the period and keepUntil', async () => {
    await saveRetention(tenant, fileTypeId, 'P1Y');
    await close(`'2014-06-15T12:00Z'`);
    await keepUntil('2015-06-14');
    expect(await get()).toMatchObject({ state: 'Due', dueOn: '2015-06-15', keepUntil: '2015-06-14' });
    await keepUntil('2999-01-01');
    expect(await get()).toMatchObject({ state: 'Running', dueOn: '2999-01-01', keepUntil: '2999-01-01' });
    const [{ today = '' } = {}] = await service.query<{ today: string }>(
      `SELECT (now() AT TIME ZONE '${TIME_ZONE}')::date::text AS today`,
    );
    await keepUntil(today);
    expect(await get()).toMatchObject({ state: 'Running', dueOn: today });
    const [{ yesterday = '' } = {}] = await service.query<{ yesterday: string }>(
      `SELECT ($1::date - 1)::text AS yesterday`,
      [today],
    );
    await keepUntil(yesterday);
    expect(await get()).toMatchObject({ state: 'Due', dueOn: yesterday });
    await saveRetention(tenant, fileTypeId, null);
    expect(await get()).toMatchObject({ state: 'None', dueOn: null, keepUntil: yesterday });
  });

  it('returns 200 with isHeld while an active hold contains the file', async () => {
    const { id } = await saveHold(tenant, viewer, { fileIds: [fileId] });
    await saveHold(tenant, viewer, { fileIds: [fileId], isReleased: true });
    expect(await get()).toMatchObject({ isHeld: true });
    await (await tenant.as('records_manager')).post(`/holds/${id}/release`).expect(200);
    expect(await get()).toMatchObject({ isHeld: false });
  });
});
