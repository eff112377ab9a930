import { PostgresProcess, installedVersions, programFolder } from '../support/servers/postgres-process.js';

const PASSWORD = 'of-the-owner';
/** Only the superuser needs no password. */
const AUTHENTICATION = `host all,replication postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`;

/** A PostgreSQL server of the Debian package. The owner of the database `filing` has only the attribute CREATEROLE. */
export class PostgresServer {
  private constructor(readonly server: PostgresProcess) {}

  /** @param settings further settings as `name=value` */
  static async start(...settings: string[]): Promise<PostgresServer> {
    // The newest version is also that of `pg_dump` on the PATH.
    const [version] = await installedVersions();
    if (version === undefined)
      throw new Error('These tests need PostgreSQL in the folder of Debian: apt-get install postgresql');
    const server = await PostgresProcess.start({
      bin: programFolder(version),
      authentication: AUTHENTICATION,
      settings,
    });
    await server.runAsSuperuser(
      `CREATE ROLE filing LOGIN CREATEROLE PASSWORD '${PASSWORD}'`,
      'CREATE DATABASE filing OWNER filing',
    );
    return new PostgresServer(server);
  }

  /** A new server that replays the changes of this one. */
  async replica(...settings: string[]): Promise<PostgresServer> {
    return new PostgresServer(await this.server.replica(...settings));
  }

  /** URL with the role that owns the database. */
  get url(): string {
    return `postgres://filing:${PASSWORD}@127.0.0.1:${this.server.port}/filing`;
  }

  get superuserUrl(): string {
    return this.server.superuserUrl;
  }

  log(): Promise<string> {
    return this.server.log();
  }

  /** Creates a role that can read everything without row-level security and write nothing; returns its URL. */
  async readerUrl(): Promise<string> {
    await this.server.runAsSuperuser(
      `CREATE ROLE reader LOGIN BYPASSRLS PASSWORD 'reads'`,
      'GRANT pg_read_all_data TO reader',
    );
    return `postgres://reader:reads@127.0.0.1:${this.server.port}/filing`;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
