import { print, runCommand } from './command.js';
import { EXTRACT, extractCommand } from './extract-command.js';

await runCommand(EXTRACT, (read) => extractCommand(read, process.env, print));
