import { Socket } from 'node:net';
import { type FileMetadata } from '../extractor.js';
import {
  CHANNEL_DESCRIPTOR,
  FILE_DESCRIPTOR,
  LineSplitter,
  MAX_DETAIL,
  PICTURE_CHUNK,
  type ReadingJob,
  type ReadingMessage,
  TEXT_CHUNK,
} from '../messages.js';
import { type PreviewSize } from '../previewer.js';
import { loadPdfJs } from './pdf.js';
import { loadLibHeif, loadUtif } from './pictures/decode-image.js';
import { loadCanvas } from './pictures/picture.js';
import { renderPreview } from './pictures/render-preview.js';
import { read } from './read.js';
import { FileSource } from './source.js';
import { loadCodePages } from './decode-text.js';

/**
 * Program of a reading process. It gets one job at a time from the parent and sends back the result. It exits when the
 * parent has ended. The parent enforces the limits of time and memory, because a process that hangs cannot do so itself.
 */
const channel = new Socket({ fd: CHANNEL_DESCRIPTOR });

function send(message: ReadingMessage): void {
  channel.write(`${JSON.stringify(message)}\n`);
}

async function runJob(job: ReadingJob): Promise<void> {
  const source = new FileSource(FILE_DESCRIPTOR, job.size);
  try {
    await (job.preview ? render(job.job, source, job.preview) : extract(job, source));
  } catch (error) {
    send({ kind: 'error', job: job.job, message: (error as Error).message.slice(0, MAX_DETAIL) });
  }
}

async function extract({ job, hints, limits, ocr }: ReadingJob, source: FileSource): Promise<void> {
  const receiver = {
    append(text: string) {
      for (const part of partsOf(text)) send({ kind: 'text', job, text: part });
    },
    insert(text: string, at: number, page: number) {
      for (const [index, part] of partsOf(text).entries())
        send({ kind: 'recognised', job, text: part, at: index === 0 ? at : null, page });
    },
  };
  const onMetadata = (metadata: FileMetadata): void => send({ kind: 'metadata', job, metadata });
  const { extraction, detail } = await read(source, hints, limits, ocr, onMetadata, receiver);
  send({ kind: 'done', job, extraction, detail: shortened(detail), cpuSeconds: cpuSeconds() });
}

function partsOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / TEXT_CHUNK) }, (_, index) =>
    text.slice(index * TEXT_CHUNK, (index + 1) * TEXT_CHUNK),
  );
}

async function render(job: number, source: FileSource, size: PreviewSize): Promise<void> {
  const { preview, detail } = await renderPreview(source, size);
  const { image, failure, pages } = preview;
  for (let start = 0; image !== null && start < image.length; start += PICTURE_CHUNK) {
    send({ kind: 'image', job, data: image.toString('base64', start, start + PICTURE_CHUNK) });
  }
  const mediaType = failure === 'Unsupported' ? preview.mediaType : null;
  const isLegible = failure === null && preview.isLegible;
  const result = { failure, mediaType, pages, isLegible };
  send({ kind: 'rendered', job, ...result, detail: shortened(detail), cpuSeconds: cpuSeconds() });
}

function shortened(detail: string | null): string | null {
  return detail && detail.slice(0, MAX_DETAIL);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Changes the user of this process. The user may not be able to read the program, so load the lazy modules first: by the
 * functions that import them later, because Node searches for a package again when another file imports it.
 */
async function switchUser([uid, gid]: readonly number[]): Promise<void> {
  await loadPdfJs();
  // Without the right to load native code, the process draws nothing.
  await loadCanvas().catch(() => undefined);
  const worker: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs';
  await import(worker);
  loadCodePages();
  await loadUtif();
  await loadLibHeif();
  process.setgroups?.([]);
  process.setgid?.(gid ?? NaN);
  process.setuid?.(uid ?? NaN);
}

const account = process.argv[2];
if (account) await switchUser(account.split(':').map(Number));

const lines = new LineSplitter();
channel.on('data', (chunk: Buffer) => {
  for (const line of lines.push(chunk)) void runJob(JSON.parse(line) as ReadingJob);
});
// The parent has ended.
channel.on('error', () => undefined);
channel.on('close', () => process.exit(0));
// A rejected promise inside a library must not end the process: the job reports its own error.
process.on('unhandledRejection', () => undefined);
send({ kind: 'ready' });
