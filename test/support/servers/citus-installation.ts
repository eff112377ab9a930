import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { startCleanupProcess } from '../cleanup-process.js';
import { installedVersions, programFolder } from './postgres-process.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** Files of the extension, in an archive with their paths from the root folder. */
const CONTROL_FILE = /(?:^|\/)usr\/share\/postgresql\/(\d+)\/extension\/citus\.control$/m;
const OF_CITUS = /^(citus|columnar)/;

/** PostgreSQL of Debian with Citus. */
export interface CitusInstallation {
  /** Folder of the programs. */
  readonly bin: string;
  remove(): Promise<void>;
}

/**
 * The archive of CITUS_ARCHIVE; or else the installed PostgreSQL, if it has Citus; or else an archive from a folder `citus`
 * beside the project. An archive is extracted over a copy of the installed PostgreSQL in a temporary folder, which finds
 * its libraries and extensions relative to its programs. Needs no root, and changes nothing outside the folder.
 */
export async function citusInstallation(): Promise<CitusInstallation> {
  const given = process.env['CITUS_ARCHIVE'];
  if (given) return extracted(path.resolve(given));
  const installed = (await installedVersions()).find((version) => existsSync(controlFile(version)));
  if (installed !== undefined) return { bin: programFolder(installed), remove: async () => undefined };
  const archive = await archiveBesideProject();
  if (archive) return extracted(archive);
  throw new Error(
    'These tests need Citus. Set CITUS_DATABASE_URL to the coordinator of a cluster; or install PostgreSQL of Debian ' +
      'with the extension; or set CITUS_ARCHIVE to an archive of the files of the extension.',
  );
}

function controlFile(version: number): string {
  return `/usr/share/postgresql/${version}/extension/citus.control`;
}

async function extracted(archive: string): Promise<CitusInstallation> {
  const names = await run('tar', ['--list', '--file', archive]);
  const version = Number(CONTROL_FILE.exec(names)?.[1]);
  if (!(await installedVersions()).includes(version))
    throw new Error(`${archive} has no Citus for the installed versions of PostgreSQL.`);
  const directory = await mkdtemp(path.join(tmpdir(), 'filing-citus-'));
  const endCleanupProcess = startCleanupProcess(directory);
  const remove = async () => {
    await endCleanupProcess();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    // When this runs as root, the user of PostgreSQL needs access to the folder.
    await chmod(directory, 0o755);
    for (const folder of [`/usr/lib/postgresql/${version}`, `/usr/share/postgresql/${version}`])
      await cp(folder, path.join(directory, folder), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !OF_CITUS.test(path.basename(file)),
      });
    await run('tar', ['--extract', '--file', archive, '--directory', directory, '--no-same-owner']);
    return { bin: path.join(directory, programFolder(version)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function archiveBesideProject(): Promise<string | undefined> {
  const beside = path.join(PROJECT, '..');
  for (const folder of await readdir(beside)) {
    const names = await readdir(path.join(beside, folder, 'citus')).catch(() => []);
    const archive = names.find((name) => /^citus-.*\.tar\.\w+$/.test(name));
    if (archive) return path.join(beside, folder, 'citus', archive);
  }
  return undefined;
}
