import globalTeardown from './global-teardown.mjs';

/** globalTeardown of jest for the suite on Citus. */
export default async function citusTeardown() {
  try {
    await globalTeardown();
  } finally {
    await globalThis.citusCluster?.stop();
  }
}
