import { runCommand } from './command.js';
import { tokenCommand } from './token-command.js';

await runCommand(async () => {
  process.stdout.write(await tokenCommand(process.argv.slice(2), process.env));
});
