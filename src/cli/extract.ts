import { runCommand } from './command.js';
import { extractCommand } from './extract-command.js';

await runCommand(() =>
  extractCommand(process.argv.slice(2), process.env, (text) => void process.stdout.write(text)),
);
