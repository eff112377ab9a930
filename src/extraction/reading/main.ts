import { read } from './read.js';
import { type ReadingJob, type ReadingMessage } from '../messages.js';

/**
 * The program of a reading process: one job at a time from the parent, the answer back. It ends when the parent is gone;
 * everything else that could end it (time, memory) is the parent's to watch, since what hangs cannot watch itself.
 */
function send(message: ReadingMessage): void {
  process.send?.(message);
}

async function work({ job, request, limits, ocr }: ReadingJob): Promise<void> {
  try {
    const { extraction, detail } = await read(request, limits, ocr, (known) =>
      send({ kind: 'known', job, known }),
    );
    const { user, system } = process.cpuUsage();
    send({ kind: 'done', job, extraction, detail, cpuSeconds: (user + system) / 1e6 });
  } catch (error) {
    send({ kind: 'fault', job, message: (error as Error).message });
  }
}

process.on('disconnect', () => process.exit(0));
process.on('message', (job) => void work(job as ReadingJob));
// A library's promise that nobody awaits must not decide about the process; its job has an end of its own.
process.on('unhandledRejection', () => undefined);
send({ kind: 'ready' });
