import { command, runCommand } from './tools/cli/command.js';

const WORKER = command({
  summary: 'Runs the jobs of the queue without the API: processes uploaded documents. Runs until Ctrl-C.',
  usage: ['npm run worker'],
  options: {},
  details: `Requires DATABASE_URL. Uses the same variables as the service (docs/configuration.md).`,
  examples: ['DATABASE_URL=postgres://filing:secret@db.example/filing npm run worker'],
});

await runCommand(WORKER, async () => {
  const { runProcess, Service } = await import('./start/service.js');
  await runProcess(new Service((line) => process.stdout.write(`${line}\n`), 'worker'));
});
