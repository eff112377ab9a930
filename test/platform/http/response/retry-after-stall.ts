import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Runs a test that needs real time. Retries it if it fails and the process was blocked for longer than the test
 * tolerates, because such a failure is not caused by the code.
 */
export async function retryAfterStall(toleratedMs: number, test: () => Promise<void>): Promise<void> {
  for (;;) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    try {
      return await test();
    } catch (error) {
      if (delay.max < toleratedMs * 1e6) throw error;
    } finally {
      delay.disable();
    }
  }
}
