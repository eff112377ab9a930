import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from '../wait-until.js';
import { TestService } from './service.js';

// The time limits of jest do not include the loading of a spec file.
const limit = sleep(WAIT_TIMEOUT_MS, undefined, { ref: false }).then(() => {
  throw new Error('The shared application has not started within the time limit.');
});

/**
 * The application that the specs of a jest worker share. Use it when the default settings suffice; do not stop it. A spec
 * that needs other settings starts its own: `TestService.start({ … })`.
 */
export const service = await Promise.race([TestService.shared(), limit]);
