import { FILE_DESCRIPTOR, type ReadingJob, type ReadingMessage } from '../messages.js';
import { loadLibrary } from './pdf.js';
import { read } from './read.js';
import { FileSource } from './source.js';

/**
 * The program of a reading process: one job at a time from the parent, the answer back. It ends when the parent is gone;
 * everything else that could end it (time, memory) is the parent's to watch, since what hangs cannot watch itself.
 */
function send(message: ReadingMessage): void {
  process.send?.(message);
}

async function work({ job, size, hints, limits, ocr }: ReadingJob): Promise<void> {
  try {
    const source = new FileSource(FILE_DESCRIPTOR, size);
    const { extraction, detail } = await read(source, hints, limits, ocr, (known) =>
      send({ kind: 'known', job, known }),
    );
    const { user, system } = process.cpuUsage();
    send({ kind: 'done', job, extraction, detail, cpuSeconds: (user + system) / 1e6 });
  } catch (error) {
    send({ kind: 'fault', job, message: (error as Error).message });
  }
}

/** Becomes a user who cannot read the program, and so loads before what is otherwise loaded when it is needed. */
async function become([uid, gid]: readonly number[]): Promise<void> {
  await loadLibrary();
  const worker: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs';
  await import(worker);
  process.setgroups?.([]);
  process.setgid?.(gid ?? NaN);
  process.setuid?.(uid ?? NaN);
}

const account = process.argv[2];
if (account) await become(account.split(':').map(Number));

process.on('disconnect', () => process.exit(0));
process.on('message', (job) => void work(job as ReadingJob));
// A library's promise that nobody awaits must not decide about the process; its job has an end of its own.
process.on('unhandledRejection', () => undefined);
send({ kind: 'ready' });
