import { setTimeout as sleep } from 'node:timers/promises';
import { ExtractorPool } from '../../../src/platform/extraction/extractor-pool.js';

/**
 * A process with its own pool, for tests that kill it. Reads the file in the first argument and prints the id of the
 * reading process: while it is reading if there is a second argument, otherwise afterwards.
 */
const [path = '', wait] = process.argv.slice(2);
const pool = new ExtractorPool({
  processes: 1,
  ocr: null,
  limits: { timeMs: 240_000, memory: 2 ** 29, decompressed: 2 ** 28, text: 1_000_000 },
});
const result = pool.extract({ path, owner: 'one', fileName: null, claimedType: 'application/octet-stream' });
if (wait === undefined) await result;
else while (pool.pids.busy.length === 0) await sleep(10);
const { busy, idle } = pool.pids;
process.stdout.write(`${[...busy, ...idle].join()}\n`);
