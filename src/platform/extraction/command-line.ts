import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';
import { type Account, type Isolation, NO_ISOLATION, PDF_FOLDER, PROGRAM } from './isolation.js';

const MIB = 1024 * 1024;

/** Node 20 has the permission model under another name. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  /** The user that it is started as; the service's unless told. */
  readonly user?: Account | null;
}

function foldersAbove(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}

/**
 * The program and its packages. Node looks for packages and a package.json in each folder above them; Node 20.19 does
 * not start where it may not look, even for what is not there.
 */
function readableFiles(): string[] {
  const program = path.dirname(path.dirname(PROGRAM));
  const packages = path.dirname(PDF_FOLDER);
  const above = foldersAbove(program).map((folder) => path.join(folder, 'node_modules'));
  // The folder of the packages may be a link.
  const folders = [program, packages, ...above.filter((folder) => folder !== packages && existsSync(folder))];
  const outside = (file: string): boolean => !folders.some((folder) => file.startsWith(folder + path.sep));
  const missing = above.filter((folder) => !existsSync(folder)).map((folder) => path.join(folder, '*'));
  const descriptions = folders.flatMap(foldersAbove).map((folder) => path.join(folder, 'package.json'));
  // Node 20.19 aborts, or forgets rights, where one of them is within another, or a folder is given as a pattern.
  return [...new Set([...folders, ...missing, ...descriptions])].filter(outside);
}

/**
 * How a reading process is started: with a heap smaller than the memory it may have, without the right to read files
 * but its own, to write files or to start programs (but for tesseract), with as few means as the platform can give
 * it, and, by the shell's limits, unable to use up the processor for ever even if the service is gone, to write into
 * a file, or to leave a core dump behind. The file that it reads is its descriptor FILE_DESCRIPTOR.
 */
export function commandLine(
  limits: ExtractionLimits,
  ocr: OcrSettings | null,
  { wrapper, user, switchUserAt: userFrom }: Isolation = NO_ISOLATION,
): CommandLine {
  const node = [
    '--no-warnings',
    `--max-old-space-size=${Math.floor((limits.memory / MIB) * 0.75)}`,
    PERMISSION,
    ...readableFiles().map((file) => `--allow-fs-read=${file}`),
    // Pages of scans are drawn by native code before tesseract gets them.
    ...(ocr ? ['--allow-child-process', '--allow-addons'] : []),
    PROGRAM,
    ...(user && userFrom === 'loaded' ? [`${user.uid}:${user.gid}`] : []),
  ];
  if (process.platform === 'win32') return { command: process.execPath, args: node };
  // Processor time of all threads; the process is exchanged long before (see ExtractionProcess.needsReplacement).
  const cpuSeconds = Math.ceil(limits.timeMs / 1000) * 4 + 60;
  const script = `ulimit -c 0; ulimit -f 0; ulimit -t ${cpuSeconds}; exec "$@"`;
  const args = ['-c', script, 'sh', ...wrapper, process.execPath, ...node];
  return { command: '/bin/sh', args, user: userFrom === 'start' ? user : null };
}
