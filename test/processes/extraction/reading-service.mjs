import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A service with secrets that reads a file with a hostile program, in its data folder: `reading-service.mjs
 * <compiled src/platform/extraction> <program> <file> [native|addons]`. `addons` gives the process the rights of one that
 * renders previews. `native` disables Node's permission model, as native code would bypass it. Prints the outcomes of the
 * attacks and facts about the process, or why reading failed.
 */
const [extraction, program, file, rights] = process.argv.slice(2);
const { ExtractorPool } = await import(path.join(extraction, 'extractor-pool.js'));
const { commandLine, isolation, PROGRAM } = await import(path.join(extraction, 'isolation.js'));

const limits = { timeMs: 240_000, memory: 2 ** 29, decompressed: 2 ** 28, text: 1_000_000 };
const found = await isolation();
const { command, args, user } = commandLine(limits, { addons: rights === 'addons', programs: false }, found);
const changed = args
  .map((argument) => (argument === PROGRAM ? program : argument))
  .filter((argument) => rights !== 'native' || !/^--(?:allow|.*permission)/.test(argument));
const pool = new ExtractorPool({
  processes: 1,
  limits,
  ocr: null,
  folder: path.dirname(file),
  commandLine: { command, args: changed, user },
});
const attacks = JSON.parse(readFileSync(file));
attacks.parentEnvironment = ['read', `/proc/${process.pid}/environ`];
attacks.parentMemory = ['open', `/proc/${process.pid}/mem`];
attacks.signalToParent = ['signal', process.pid];
writeFileSync(file, JSON.stringify(attacks));

const request = { path: file, owner: 'one', fileName: null, claimedType: 'text/plain' };
const { text, reason } = await pool.extract(request).catch((error) => ({ reason: error.message }));
if (reason !== undefined) {
  process.stdout.write(JSON.stringify({ reason, left: pool.pids }));
  process.exit();
}
const [pid] = pool.pids.idle;
const status = readFileSync(`/proc/${pid}/status`, 'latin1');
const statusOf = (name) => new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1];
const facts = {
  ownUser: Number(statusOf('Uid')) !== process.getuid(),
  noNewPrivileges: statusOf('NoNewPrivs') === '1',
  capabilities: /^CapEff:\s+(\w+)/m.exec(status)[1],
};
process.stdout.write(JSON.stringify({ barriers: found.barriers, facts, outcomes: JSON.parse(text) }));
pool.onApplicationShutdown();
