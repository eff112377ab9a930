/** Whether this is `npm run test:exhaustive`, which CI runs in addition to `npm test`. */
const EXHAUSTIVE = process.env.TEST_SUITE === 'exhaustive';

/** Returns `small` in `npm test` and `full` in `npm run test:exhaustive`. For numbers of rows, rounds or seeds. */
export function sized<T>(small: T, full: T): T {
  return EXHAUSTIVE ? full : small;
}
