import globalTeardown from './global-teardown.mjs';

/** globalTeardown of jest for the suite through PgBouncer. */
export default async function pgbouncerTeardown() {
  try {
    await globalTeardown();
  } finally {
    await globalThis.testPooler?.stop();
  }
}
