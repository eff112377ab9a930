import { type Service } from './service.js';

/** Runs the service until a signal. If the start fails, prints the error and exits with 1. */
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
