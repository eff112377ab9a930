import { Service } from '../../../src/start/service.js';
import { messageFor } from '../../../src/start/start-checks.js';

/**
 * Starts the service in this process, and stops it. `outcome` is `serves`, or the message of the error if it did not
 * start.
 */
export async function tryStart(
  environment: NodeJS.ProcessEnv,
  role?: 'service' | 'worker',
): Promise<{ outcome: string; printed: string[] }> {
  const printed: string[] = [];
  const service = new Service((line) => printed.push(line), role);
  const outcome = await service
    .start({ LOG_LEVEL: 'fatal', ...environment })
    .then(() => 'serves', messageFor);
  if (!(await service.stop())) throw new Error('The service has not stopped.');
  return { outcome, printed };
}
