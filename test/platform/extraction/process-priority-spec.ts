import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { lowerPriority } from '../../../src/platform/extraction/process-resources.js';
import { waitUntil } from '../../support/wait-until.js';

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/** The priority of the session of a process; null where the system does not schedule by session. */
function groupPriority(pid: number): number | null {
  const file = `/proc/${pid}/autogroup`;
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  return text === '' ? null : Number(/nice (-?\d+)/.exec(text)?.[1]);
}

describe('lowerPriority', () => {
  it('lowers the priority of a process, and of its session where the system schedules by session', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true });
    const pid = child.pid ?? 0;
    lowerPriority(pid);
    expect(getPriority(pid)).toBe(PRIORITY_BELOW_NORMAL);
    // Another process may just have changed its own priority, which Linux allows ten times a second.
    await waitUntil(() => [PRIORITY_BELOW_NORMAL, null].includes(groupPriority(pid)));
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});
