import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Reads the JSON reports of jest in a folder, and the file `seconds` with a line for each suite. Prints the slowest files
 * and the time of each suite, beside that of the last release, to standard error, and `<passed> <failed> <skipped>` to
 * standard output.
 */
const SLOWEST = 20;
const [folder, releaseTimes] = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };
const files = [];

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  counts.passed += report.numPassedTests;
  // A spec file that could not be run counts as a failure.
  counts.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  counts.skipped += report.numPendingTests + report.numTodoTests;
  const suite = path.basename(name, '.json');
  for (const { name: file, startTime, endTime, assertionResults } of report.testResults) {
    const seconds = (endTime - startTime) / 1000;
    files.push({ suite, file: path.relative('.', file), seconds, cases: assertionResults.length });
  }
}

process.stderr.write(`\n=== The ${SLOWEST} slowest spec files\nseconds  cases  suite: file\n`);
for (const { suite, file, seconds, cases } of files
  .sort((one, other) => other.seconds - one.seconds)
  .slice(0, SLOWEST)) {
  process.stderr.write(
    `${seconds.toFixed(1).padStart(7)}  ${String(cases).padStart(5)}  ${suite}: ${file}\n`,
  );
}

const { release, seconds: former } = JSON.parse(readFileSync(releaseTimes, 'utf8'));
const times = path.join(folder, 'seconds');
const lines = existsSync(times) ? readFileSync(times, 'utf8').trim().split('\n') : [];
process.stderr.write(`\n=== Seconds of each suite, and of release ${release}\n`);
for (const [suite, seconds] of lines.map((line) => line.split(' ')))
  process.stderr.write(`${seconds.padStart(7)}  ${String(former[suite] ?? '–').padStart(5)}  ${suite}\n`);
process.stdout.write(`${counts.passed} ${counts.failed} ${counts.skipped}\n`);
