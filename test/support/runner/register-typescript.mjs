import { register } from 'node:module';
import './keep-worker-data.mjs';

/**
 * Lets Node run the TypeScript sources: `node --import ./test/support/runner/register-typescript.mjs x.ts`. For jest, its
 * workers, and the processes that tests start.
 */
register('./typescript-hooks.mjs', import.meta.url);
