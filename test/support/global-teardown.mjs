/** jest's globalTeardown; runs when tests have failed, too. */
export default async function globalTeardown() {
  await globalThis.testServer?.stop();
}
