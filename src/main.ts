import { command, runCommand } from './tools/cli/command.js';

const START = command({
  summary: 'Starts the service: the API, its documentation and the jobs. Runs until Ctrl-C.',
  usage: ['npm start'],
  options: {},
  details: `All settings are environment variables (docs/configuration.md). Without any, the service starts an embedded
PostgreSQL in .data and serves a demo tenant at http://127.0.0.1:3000.`,
  examples: ['npm start', 'PORT=3001 DATA_DIR=/var/lib/filing npm start'],
});

await runCommand(START, async () => {
  // Loaded here, because loading takes a second, and --help does not need it.
  const { runProcess, Service } = await import('./start/service.js');
  await runProcess(new Service((line) => process.stdout.write(`${line}\n`)));
});
