import { runProcess } from './run-process.js';
import { Service } from './service.js';

await runProcess(new Service((line) => process.stdout.write(`${line}\n`)));
