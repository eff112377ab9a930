import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * For a test that cannot do without real time. Runs it again when it fails after this process stood still for longer
 * than the test tolerates: such a failure says nothing about the code.
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
