import { print, runCommand } from './command.js';
import { TOKEN, tokenCommand } from './token-command.js';

await runCommand(TOKEN, async ({ values }) => print(await tokenCommand(values, process.env)));
