import { type Service } from './service.js';

/** Runs until a signal ends it; a fault of the start is one sentence and a non-zero exit. */
export async function runProcess(service: Service): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // A second signal ends the process at once, as Node does without a handler.
      void service.stop(signal).then((clean) => process.exit(clean ? 0 : 1));
    });
  }

  try {
    await service.start(process.env);
  } catch (error) {
    process.stderr.write(`${service.messageFor(error)}\n`);
    await service.stop();
    process.exit(1);
  }
}
