import { register } from 'node:module';
import './keep-worker-data.mjs';

/**
 * Allows Node to run TypeScript files: `node --import ./test/support/runner/register-typescript.mjs x.ts`. Used by jest, its
 * workers, and processes that tests start.
 */
register('./typescript-hooks.mjs', import.meta.url);
