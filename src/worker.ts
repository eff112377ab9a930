import { command, runCommand } from './tools/cli/command.js';

const WORKER = command({
  summary: 'Does the jobs of the queue, without the API: looks into uploaded documents. Runs until Ctrl-C.',
  usage: ['npm run worker'],
  options: {},
  details: `Needs DATABASE_URL. Takes the same variables as the service (docs/configuration.md).`,
  examples: ['DATABASE_URL=postgres://filing:secret@db.example/filing npm run worker'],
});

await runCommand(WORKER, async () => {
  const [{ runProcess }, { Service }] = await Promise.all([
    import('./run-process.js'),
    import('./service.js'),
  ]);
  await runProcess(new Service((line) => process.stdout.write(`${line}\n`), 'worker'));
});
