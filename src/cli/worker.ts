import { runProcess } from '../run-process.js';
import { Service } from '../service.js';

/** The service without its API: does what waits in the job queue, beside any number of others. */
await runProcess(new Service((line) => process.stdout.write(`${line}\n`), 'worker'));
