import { setTimeout as sleep } from 'node:timers/promises';
import { addEventHandler } from 'jest-circus';

/**
 * Minimum time limit of a test or hook; jest-light-runner has none, so a test that hangs would never end. It is far longer
 * than any test takes, also on a busy machine. No test uses it to check speed.
 */
const MIN_LIMIT_MS = 600_000;

function limited(work, milliseconds, what) {
  return async () => {
    const ended = new AbortController();
    const timeout = sleep(milliseconds, undefined, { signal: ended.signal, ref: false }).then(
      () => Promise.reject(new Error(`${what} has not ended within ${milliseconds / 1000} seconds.`)),
      () => undefined,
    );
    try {
      await Promise.race([work(), timeout]);
    } finally {
      ended.abort();
    }
  };
}

addEventHandler((event, { currentDescribeBlock, testTimeout }) => {
  if (event.name !== 'add_test' && event.name !== 'add_hook') return;
  const { children, hooks } = currentDescribeBlock;
  const [added, what] =
    event.name === 'add_test' ? [children.at(-1), 'The test'] : [hooks.at(-1), `The ${event.hookType} hook`];
  if (added.fn) added.fn = limited(added.fn, event.timeout ?? Math.max(testTimeout, MIN_LIMIT_MS), what);
});

// End the worker with jest, although the shared application still listens.
process.once('disconnect', () => process.exit());
