import { existsSync } from 'node:fs';
import path from 'node:path';
import { type ExtractionLimits } from './extraction-limits.js';
import { type Account, type Isolation, NO_ISOLATION, PDF_FOLDER, PROGRAM } from './isolation.js';

const MIB = 1024 * 1024;

/** Node 20 has another name for this option. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  /** The user that runs the process. Default: the user of the service. */
  readonly user?: Account | null;
}

/** What a reading process needs in addition to JavaScript. Node's permission model cannot restrict native code. */
export interface NativeCode {
  /** Native packages: @napi-rs/canvas, which draws pages. */
  readonly addons: boolean;
  /** Programs: tesseract. */
  readonly programs: boolean;
}

export const NO_NATIVE_CODE: NativeCode = { addons: false, programs: false };

function foldersAbove(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [] : [parent, ...foldersAbove(parent)];
}

/**
 * Files and folders that the process may read: the program, its packages, and the places above them where Node looks
 * for packages and a package.json. Node 20.19 does not start without the right to read these places, even if they do
 * not exist.
 */
function readableFiles(): string[] {
  const program = path.dirname(path.dirname(PROGRAM));
  const packages = path.dirname(PDF_FOLDER);
  const above = foldersAbove(program).map((folder) => path.join(folder, 'node_modules'));
  // The folder of the packages may be a symbolic link.
  const folders = [program, packages, ...above.filter((folder) => folder !== packages && existsSync(folder))];
  const outside = (file: string): boolean => !folders.some((folder) => file.startsWith(folder + path.sep));
  const missing = above.filter((folder) => !existsSync(folder)).map((folder) => path.join(folder, '*'));
  const descriptions = folders.flatMap(foldersAbove).map((folder) => path.join(folder, 'package.json'));
  // Node 20.19 aborts or loses rights if one path is inside another, or if a folder is given as a pattern.
  return [...new Set([...folders, ...missing, ...descriptions])].filter(outside);
}

/**
 * Returns the command line of a reading process. The process
 * - has a heap smaller than its memory limit;
 * - may read only its own program, may not write files, and may start programs only for OCR (Node's permission model);
 * - has the isolation that the platform supports;
 * - has limits of the shell: no files, no core dump, and limited processor time, which applies even if the service dies.
 *
 * It reads the input file from the descriptor FILE_DESCRIPTOR.
 */
export function commandLine(
  limits: ExtractionLimits,
  { addons, programs }: NativeCode,
  { wrapper, user, switchUserAt }: Isolation = NO_ISOLATION,
): CommandLine {
  const node = [
    '--no-warnings',
    `--max-old-space-size=${Math.floor((limits.memory / MIB) * 0.75)}`,
    PERMISSION,
    ...readableFiles().map((file) => `--allow-fs-read=${file}`),
    ...(programs ? ['--allow-child-process'] : []),
    ...(addons ? ['--allow-addons'] : []),
    PROGRAM,
    ...(user && switchUserAt === 'loaded' ? [`${user.uid}:${user.gid}`] : []),
  ];
  if (process.platform === 'win32') return { command: process.execPath, args: node };
  // Processor time of all threads. The process is normally replaced long before (ExtractionProcess.needsReplacement).
  const cpuSeconds = Math.ceil(limits.timeMs / 1000) * 4 + 60;
  const script = `ulimit -c 0; ulimit -f 0; ulimit -t ${cpuSeconds}; exec "$@"`;
  const args = ['-c', script, 'sh', ...wrapper, process.execPath, ...node];
  return { command: '/bin/sh', args, user: switchUserAt === 'start' ? user : null };
}
