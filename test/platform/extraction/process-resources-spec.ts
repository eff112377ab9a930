import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ProcessorTimeLimit, lowerPriority } from '../../../src/platform/extraction/process-resources.js';
import { waitUntil } from '../../support/wait-until.js';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** The priority of the session of a process; null where the system does not schedule by session. */
function groupPriority(pid: number): number | null {
  const file = `/proc/${pid}/autogroup`;
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  return text === '' ? null : Number(/nice (-?\d+)/.exec(text)?.[1]);
}

let child: ChildProcess | undefined;

/** Starts a program in a session of its own. Returns its process id. */
function start(program: string): number {
  child = spawn(process.execPath, ['-e', program], { detached: true });
  return child.pid ?? 0;
}

const WAIT = 'setInterval(() => undefined, 1000)';

afterEach(async () => {
  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
  child = undefined;
});

describe('lowerPriority', () => {
  it('lowers the priority of a process, and of its session where the system schedules by session', async () => {
    const pid = start(WAIT);
    lowerPriority(pid);
    expect(getPriority(pid)).toBe(PRIORITY_BELOW_NORMAL);
    // Another process may just have changed its own priority, which Linux allows ten times a second.
    await waitUntil(() => [PRIORITY_BELOW_NORMAL, null].includes(groupPriority(pid)));
  });
});

describe('ProcessorTimeLimit', () => {
  const LIMIT_MS = 200;

  it('is exceeded by processor time, also of a process that has ended', async () => {
    const work = 'while (process.cpuUsage().user < 400_000);';
    const pid = start(`require('node:child_process').spawnSync(process.execPath, ['-e', '${work}']);
      console.log('worked'); ${WAIT}`);
    const limit = new ProcessorTimeLimit(pid, LIMIT_MS);
    expect(limit.isExceeded).toBe(false);
    if (child?.stdout) await once(child.stdout, 'data');
    expect(limit.isExceeded).toBe(true);
    expect(new ProcessorTimeLimit(pid, LIMIT_MS).isExceeded).toBe(false);
  });

  it('is not exceeded by a process that waits, until four times as long by the clock', async () => {
    const begin = performance.now();
    const limit = new ProcessorTimeLimit(start(WAIT), LIMIT_MS);
    await waitUntil(() => limit.isExceeded);
    expect(performance.now() - begin).toBeGreaterThanOrEqual(4 * LIMIT_MS);
  });
});
