import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { run } from '../../../src/platform/database/embedded/processes.js';
import { type PostgresServer } from '../postgres-server.js';
import { type Snapshot } from './snapshot.js';

const HERE = import.meta.dirname;

/** Data that a release has created: `<version>.dump`, `<version>-data.tar.xz` and `<version>-snapshot.json.xz`. */
export class ReleaseData {
  private constructor(
    readonly version: string,
    private readonly folder: string,
  ) {}

  /** Searches this folder, folders named `upgrade` next to the project, and the folder of the environment variable UPGRADE_DATA. */
  static async find(): Promise<ReleaseData[]> {
    const parent = path.resolve(HERE, '../../../..');
    const names = (await readdir(parent)).map((name) => path.join(parent, name, 'upgrade'));
    const found: ReleaseData[] = [];
    for (const folder of new Set([HERE, ...names, path.resolve(process.env.UPGRADE_DATA ?? HERE)])) {
      for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
        const { dir, name, ext } = path.parse(path.join(folder, file));
        if (ext === '.dump') found.push(new ReleaseData(name, dir));
      }
    }
    return found;
  }

  get label(): string {
    return `${this.version} in ${path.relative(process.cwd(), this.folder)}`;
  }

  /** Restores as docs/deployment.md describes: first the roles, created by an owner with CREATEROLE and no other attributes. */
  async restore(server: PostgresServer, dataDirectory: string): Promise<void> {
    const owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    await owner.query('CREATE ROLE filing_service_role');
    await owner.query('CREATE ROLE filing_service LOGIN IN ROLE filing_service_role');
    await owner.end();
    await this.restoreDatabase(server.url);
    await this.restoreContents(dataDirectory);
  }

  /** Into an empty database. The roles `filing`, `filing_service` and `filing_service_role` must exist. */
  async restoreDatabase(url: string): Promise<void> {
    await run('pg_restore', ['--exit-on-error', `--dbname=${url}`, this.file('.dump')]);
  }

  async restoreContents(dataDirectory: string): Promise<void> {
    await mkdir(dataDirectory, { recursive: true });
    await run('tar', ['-xf', this.file('-data.tar.xz'), '-C', dataDirectory, '--no-same-owner']);
  }

  async snapshot(): Promise<Snapshot> {
    return JSON.parse(
      await run('xz', ['-dc', this.file('-snapshot.json.xz')], { maxBuffer: 2 ** 28 }),
    ) as Snapshot;
  }

  private file(suffix: string): string {
    return path.join(this.folder, this.version + suffix);
  }
}
