import { stopServers } from './global-setup.mjs';

/** globalTeardown of jest. Also runs after failed tests. */
export default async function globalTeardown() {
  // Set when jest runs the specs in its own process (maxWorkers: 1).
  await (await globalThis.sharedTestService)?.stop();
  await stopServers();
}
