import { register } from 'node:module';

/**
 * Lets plain Node run the TypeScript sources: `node --import ./test/support/register-typescript.mjs x.ts`. For what runs
 * outside of jest's own module system: its global set-up, and processes that tests start in order to kill them.
 */
register('./typescript-hooks.mjs', import.meta.url);
