import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ExtractionLimits } from './extraction-limits.js';

const run = promisify(execFile);

/** Path of the program. Resolved like an import, so that it is correct in tests, where module hooks compile the files. */
export const PROGRAM = fileURLToPath(import.meta.resolve('./reading/main.js'));
/** Working folder of the reading processes: pdf.js reads its tables by relative paths. */
export const PDF_FOLDER = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Restrictions by the platform, in addition to Node's permission model and the limits of the shell. */
export interface Barriers {
  /** Runs as another user than the service: cannot read its files or send signals to its processes. */
  readonly ownUser: boolean;
  /** Has its own user namespace: cannot inspect other processes of the same user. */
  readonly ownNamespace: boolean;
  /** Has its own empty network namespace. */
  readonly noNetwork: boolean;
  readonly noNewPrivileges: boolean;
}

interface Isolation {
  readonly barriers: Barriers;
  /** Command prefix that starts the process with restrictions, such as `unshare -n`. */
  readonly wrapper: readonly string[];
  /** User of the process; null for the user of the service. */
  readonly user: Account | null;
  /** When the process changes to `user`. `loaded` (after loading) is for a user who cannot read the program. */
  readonly switchUserAt: 'start' | 'wrapper' | 'loaded';
}

/** The options of the wrapper show what it prevents. */
function isolationBy(
  wrapper: readonly string[],
  user: Account | null,
  switchUserAt: Isolation['switchUserAt'] = 'start',
): Isolation {
  const barriers = {
    ownUser: user !== null,
    ownNamespace: wrapper.includes('-U'),
    noNetwork: wrapper.includes('-n'),
    noNewPrivileges: wrapper.includes('--nnp'),
  };
  return { barriers, wrapper, user, switchUserAt };
}

export const NO_ISOLATION = isolationBy([], null);

export const NO_NEW_PRIVILEGES = ['setpriv', '--nnp'];
const OWN_NETWORK = ['unshare', '-n'];
/** Ordinary users can create a network namespace only inside a user namespace. */
const OWN_NAMESPACES = ['unshare', '-U', '-n'];

/** All variants, the most restrictive first. */
function candidates(nobody: Account | null): Isolation[] {
  const ordinary = [[...NO_NEW_PRIVILEGES, ...OWN_NAMESPACES], OWN_NAMESPACES, NO_NEW_PRIVILEGES, []].map(
    (wrapper) => isolationBy(wrapper, nobody),
  );
  if (!nobody) return ordinary;
  const switchUser = [...switchUserTo(nobody), '--bounding-set=-all'];
  return [
    ordinary.slice(0, 1),
    // For systems without user namespaces: root creates the network namespace.
    isolationBy([...OWN_NETWORK, ...NO_NEW_PRIVILEGES, ...switchUser], nobody, 'wrapper'),
    ordinary.slice(1),
    isolationBy([...OWN_NETWORK, ...NO_NEW_PRIVILEGES], nobody, 'loaded'),
    isolationBy(NO_NEW_PRIVILEGES, nobody, 'loaded'),
    isolationBy([], nobody, 'loaded'),
  ].flat();
}

/** Options of `setpriv`. */
export function switchUserTo({ uid, gid }: Account): readonly string[] {
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

/** Whether the user can start a process with this wrapper, and the process can read the files. */
export async function works(
  wrapper: readonly string[],
  user: Account | null,
  files: readonly string[],
): Promise<boolean> {
  const script = 'for file; do test -r "$file" || exit 1; done';
  const [command = '', ...args] = [...wrapper, '/bin/sh', '-c', script, 'sh', ...files];
  return run(command, args, {
    cwd: '/',
    env: {},
    timeout: 10_000,
    ...user,
  }).then(
    () => true,
    () => false,
  );
}

export async function findNobody(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  // macOS prints 4294967294 for -2; Node expects -2.
  const id = (option: string) => run('id', [option, 'nobody']).then(({ stdout }) => Number(stdout) | 0);
  return Promise.all([id('-u'), id('-g')]).then(
    ([uid, gid]) => (uid !== 0 && gid !== 0 ? { uid, gid } : null),
    () => null,
  );
}

async function probe(): Promise<Isolation> {
  if (process.platform === 'win32') return NO_ISOLATION;
  const files = [process.execPath, PROGRAM, path.join(PDF_FOLDER, 'package.json')];
  for (const candidate of candidates(await findNobody())) {
    const { wrapper, user, switchUserAt } = candidate;
    // After loading, the process needs to read no more files.
    const readable = switchUserAt === 'loaded' ? [] : files;
    if (await works(wrapper, switchUserAt === 'start' ? user : null, readable)) return candidate;
  }
  return NO_ISOLATION;
}

let found: Promise<Isolation> | undefined;

/** The most restrictive isolation of reading processes that this platform supports; determined once. */
export function isolation(): Promise<Isolation> {
  found ??= probe();
  return found;
}

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
  { wrapper, user, switchUserAt }: Isolation,
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
