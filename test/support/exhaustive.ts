/** Set by jest.exhaustive.config.js: `npm run test:exhaustive`, which CI runs beside `npm test`. */
const EXHAUSTIVE = process.env.TEST_EXHAUSTIVE === 'true';

/** A size (rows, rounds, seeds) that is small in `npm test`, and full in `npm run test:exhaustive`. */
export function sized<T>(small: T, full: T): T {
  return EXHAUSTIVE ? full : small;
}
