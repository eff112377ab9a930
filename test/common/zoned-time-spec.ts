import { describe, expect, it } from '@jest/globals';
import { lastDailyTime, nextDailyTime } from '../../src/common/zoned-time.js';

const BERLIN = 'Europe/Berlin';

function expectTimes(zone: string, now: string, last: string, next: string): void {
  expect(lastDailyTime(new Date(now), 7, zone)).toEqual(new Date(last));
  expect(nextDailyTime(new Date(now), 7, zone)).toEqual(new Date(next));
}

describe('lastDailyTime and nextDailyTime', () => {
  it.each([
    ['before the hour', '2026-11-23T05:59:59.999Z', '2026-11-22T06:00Z', '2026-11-23T06:00Z'],
    ['at the hour', '2026-11-23T06:00Z', '2026-11-23T06:00Z', '2026-11-24T06:00Z'],
    ['after the hour', '2026-11-23T22:59:59Z', '2026-11-23T06:00Z', '2026-11-24T06:00Z'],
    ['after midnight of the zone', '2026-11-23T23:00Z', '2026-11-23T06:00Z', '2026-11-24T06:00Z'],
    // Clocks move forward at 01:00Z of 29 March: the day has 23 hours.
    ['before summer time begins', '2026-03-28T12:00Z', '2026-03-28T06:00Z', '2026-03-29T05:00Z'],
    ['in the night when summer time begins', '2026-03-29T00:30Z', '2026-03-28T06:00Z', '2026-03-29T05:00Z'],
    ['on the day when summer time begins', '2026-03-29T05:00Z', '2026-03-29T05:00Z', '2026-03-30T05:00Z'],
    // Clocks move back at 01:00Z of 25 October: the day has 25 hours.
    ['before summer time ends', '2026-10-24T12:00Z', '2026-10-24T05:00Z', '2026-10-25T06:00Z'],
    ['in the hour that is repeated', '2026-10-25T00:30Z', '2026-10-24T05:00Z', '2026-10-25T06:00Z'],
    ['in the second pass of that hour', '2026-10-25T01:30Z', '2026-10-24T05:00Z', '2026-10-25T06:00Z'],
  ])('finds 07:00 in Berlin %s', (_, now, last, next) => expectTimes(BERLIN, now, last, next));

  it.each([
    ['UTC', '2026-12-31T23:59:59Z', '2026-12-31T07:00Z', '2027-01-01T07:00Z'],
    // Far east of UTC.
    ['Pacific/Kiritimati', '2026-11-23T17:00Z', '2026-11-23T17:00Z', '2026-11-24T17:00Z'],
    // West of UTC, where summer time begins at night.
    ['America/New_York', '2026-03-08T05:30Z', '2026-03-07T12:00Z', '2026-03-08T11:00Z'],
    // An offset of half an hour.
    ['Asia/Kolkata', '2026-11-23T01:29:59Z', '2026-11-22T01:30Z', '2026-11-23T01:30Z'],
  ])('finds 07:00 in %s', expectTimes);

  it('finds each hour of two years once, and the next after the last', () => {
    for (let hour = 0, last = 0; hour < 2 * 365 * 24; hour += 5) {
      const now = new Date(Date.UTC(2026, 0, 1, hour, 17));
      const found = lastDailyTime(now, 7, BERLIN).getTime();
      const next = nextDailyTime(now, 7, BERLIN).getTime();
      expect(found).toBeLessThanOrEqual(now.getTime());
      expect(next).toBeGreaterThan(now.getTime());
      expect([23, 24, 25]).toContain((next - found) / 3_600_000);
      expect(found).toBeGreaterThanOrEqual(last);
      last = found;
    }
  });
});
