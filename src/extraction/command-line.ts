import { fileURLToPath } from 'node:url';
import { type ExtractionLimits, type OcrSettings } from './extraction-limits.js';

const MIB = 1024 * 1024;

/** Node 20 has the permission model under another name. */
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

/** Resolved like an import: module hooks that compile this file say where the compiled program is. */
const PROGRAM = fileURLToPath(import.meta.resolve('./reading/main.js'));

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * How a reading process is started: with a heap smaller than the memory it may have, without the right to write files
 * or to start programs (but for tesseract), and, by the shell's limits, unable to use up the processor for ever even if
 * the service is gone, to write into a file, or to leave a core dump behind.
 */
export function commandLine(limits: ExtractionLimits, ocr: OcrSettings | null): CommandLine {
  const node = [
    '--no-warnings',
    `--max-old-space-size=${Math.floor((limits.memory / MIB) * 0.75)}`,
    PERMISSION,
    '--allow-fs-read=*',
    // Pages of scans are drawn by native code before tesseract gets them.
    ...(ocr ? ['--allow-child-process', '--allow-addons'] : []),
    PROGRAM,
  ];
  if (process.platform === 'win32') return { command: process.execPath, args: node };
  // Processor time of all threads; the process is exchanged long before (see ExtractionProcess.worn).
  const cpuSeconds = Math.ceil(limits.timeMs / 1000) * 4 + 60;
  const script = `ulimit -c 0; ulimit -f 0; ulimit -t ${cpuSeconds}; exec "$0" "$@"`;
  return { command: '/bin/sh', args: ['-c', script, process.execPath, ...node] };
}
