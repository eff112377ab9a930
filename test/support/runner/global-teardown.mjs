/** jest's globalTeardown; runs when tests have failed, too. */
export default async function globalTeardown() {
  // Set where jest runs the specs in its own process (maxWorkers: 1).
  await (await globalThis.sharedTestService)?.stop();
  await globalThis.testServer?.stop();
}
