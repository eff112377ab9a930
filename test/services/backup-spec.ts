import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type FilingClient, createFilingClient } from '../../clients/typescript/client.js';
import { DiskContentStore } from '../../src/platform/content/disk-content-store.js';
import { run } from '../../src/platform/database/embedded/processes.js';
import { findingsOf, parseKeys } from '../resources/audit-log/evidence/evidence-fixture.js';
import { sha256Of } from '../support/content-fixtures.js';
import { TestIssuer } from '../support/servers/issuer.js';
import { LONG_DATABASE_TIMEOUTS } from '../support/wait-until.js';
import { S3Server } from '../support/servers/s3-server.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { PostgresServer } from './postgres-server.js';

jest.setTimeout(1_200_000);

const ADMIN = 'archivist@people.example';
const SLUG = 'archive';
/** Standard error without errors. The AWS SDK may print a warning about the version of Node.js. */
const NO_ERRORS = expect.not.stringMatching(/Damaged|Missing|fail|refuse|pg_/) as unknown as string;

/** A service process, and a user of it. */
class RunningService {
  private constructor(
    private readonly process: ServiceProcess,
    private readonly client: FilingClient,
  ) {}

  static async start(environment: NodeJS.ProcessEnv, issuer: TestIssuer): Promise<RunningService> {
    const process = new ServiceProcess({ PORT: '0', OIDC_ISSUER: issuer.url, ...environment });
    const token = await issuer.token({ sub: 'archivist', email: ADMIN, email_verified: true });
    // One connection per request: a reused connection might just be closing.
    const headers = { connection: 'close' };
    return new RunningService(
      process,
      createFilingClient({ url: await process.url(), tenant: SLUG, token, headers, retries: 0 }),
    );
  }

  async upload(text: string): Promise<string> {
    const content = new File([text], 'vermerk.txt', { type: 'text/plain' });
    const body = { document: { title: 'Vermerk' }, content };
    return (await this.client.POST('/documents', { body })).data.id;
  }

  async download(documentId: string): Promise<string> {
    const params = { path: { documentId } };
    return (await this.client.GET('/documents/{documentId}/content', { params, parseAs: 'text' })).data;
  }

  async search(q: string): Promise<string[]> {
    const { data } = await this.client.GET('/documents', { params: { query: { q } } });
    return data.items.map(({ id }) => id);
  }

  documents() {
    return all(this.client.pages('/documents', { params: { query: { limit: 200 } } }));
  }

  audit() {
    return all(this.client.pages('/audit-log', { params: { query: { limit: 200 } } }));
  }

  async events(query: { limit?: number; cursor?: string }) {
    return (await this.client.GET('/events', { params: { query } })).data;
  }

  async text(path: '/audit-log/checkpoint' | '/audit-log/export' | '/audit-log/keys'): Promise<string> {
    return (await this.client.GET(path, { parseAs: 'text' })).data;
  }

  async waitUntilProcessed(): Promise<void> {
    while ((await this.documents()).some(({ status }) => status === 'Processing')) await sleep(50);
  }

  async stop(): Promise<void> {
    this.process.signal('SIGTERM');
    expect(await this.process.exit).toBe(0);
  }

  kill(): void {
    this.process.signal('SIGKILL');
  }
}

async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

describe('Backup and restore', () => {
  let issuer: TestIssuer;
  let directory: string;
  const servers: { stop: () => Promise<void> }[] = [];
  const services: RunningService[] = [];
  beforeAll(async () => {
    issuer = await TestIssuer.start();
    directory = await mkdtemp(path.join(tmpdir(), 'filing-backup-'));
    // When this runs as root, the user of the embedded PostgreSQL needs access to the folder.
    await chmod(directory, 0o755);
  });
  afterAll(async () => {
    for (const service of services) service.kill();
    for (const server of servers) await server.stop();
    await issuer.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function track<T extends { stop: () => Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    servers.push(server);
    return server;
  }

  async function start(environment: NodeJS.ProcessEnv): Promise<RunningService> {
    const service = await RunningService.start(
      {
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
        ...LONG_DATABASE_TIMEOUTS,
        ...environment,
      },
      issuer,
    );
    services.push(service);
    return service;
  }

  async function makeTenant(environment: NodeJS.ProcessEnv): Promise<void> {
    const args = ['create', '--slug', SLUG, '--name', 'Archive', '--admin', ADMIN];
    const { code, errors } = await ServiceProcess.run(environment, 'tools/cli/tenant', ...args);
    expect({ code, errors }).toEqual({ code: 0, errors: expect.any(String) });
  }

  /** Expects the same contents as before, a working search and a working upload. */
  async function expectWorking(restored: RunningService, texts: ReadonlyMap<string, string>): Promise<void> {
    await restored.waitUntilProcessed();
    for (const [id, text] of texts) {
      expect(await restored.download(id)).toBe(text);
      expect(await restored.search(text.split(' ')[1] ?? '')).toEqual([id]);
    }
    const text = `Vermerk ${uniqueWord()} nach der Wiederherstellung`;
    const id = await restored.upload(text);
    await restored.waitUntilProcessed();
    expect(await restored.search(text.split(' ')[1] ?? '')).toEqual([id]);
  }

  describe.each(['disk', 's3'] as const)('with PostgreSQL and contents in %s', (kind) => {
    it('restores a complete state elsewhere from a backup made during uploads', async () => {
      const [server, other] = await Promise.all([
        track(PostgresServer.start()),
        track(PostgresServer.start()),
      ]);
      const bucket = await track(S3Server.start());
      const here = path.join(directory, kind, 'here');
      const elsewhere = path.join(directory, kind, 'elsewhere');
      const folder = path.join(directory, kind, 'backup');
      // Restore contents of a bucket to a disk, and contents of a disk to a bucket.
      const from = { DATABASE_URL: server.url, DATA_DIR: here, ...(kind === 's3' && bucket.environment) };
      const to = { DATABASE_URL: other.url, DATA_DIR: elsewhere, ...(kind === 'disk' && bucket.environment) };

      await makeTenant(from);
      const service = await start(from);
      const before = new Map<string, string>();
      for (let number = 0; number < 5; number += 1) {
        const text = `Vermerk ${uniqueWord()} vor der Sicherung`;
        before.set(await service.upload(text), text);
      }
      const auditBefore = await service.audit();
      const earlier = { name: 'earlier.txt', note: await service.text('/audit-log/checkpoint') };

      // Row-level security also applies to the owner, so the owner cannot dump the rows; the command must fail.
      const asOwner = await ServiceProcess.run(from, 'tools/backup/backup', folder);
      expect({ code: asOwner.code, errors: asOwner.errors }).toEqual({
        code: 1,
        errors: expect.stringContaining('a role that has BYPASSRLS'),
      });

      const texts = new Map(before);
      let done = false;
      const uploading = (async () => {
        while (!done) {
          const text = `Vermerk ${uniqueWord()} während der Sicherung`;
          texts.set(await service.upload(text), text);
        }
      })();
      const reader = { ...from, DATABASE_URL: await server.readerUrl() };
      const backup = await ServiceProcess.run(reader, 'tools/backup/backup', folder);
      done = true;
      await uploading;
      expect(backup).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^Backed up the database and \d+ contents; 0 contents were already in the folder\.\n$/,
        ),
        errors: NO_ERRORS,
      });
      const { nextCursor } = await service.events({ limit: 1 });
      const audit = new Map((await service.audit()).map((entry) => [entry.id, entry]));
      await service.stop();
      expect(await filesWith(folder, await readFile(path.join(here, 'audit', 'signing-key')))).toEqual([]);

      const restore = await ServiceProcess.run(to, 'tools/backup/restore', folder);
      expect(restore).toEqual({
        code: 0,
        output: expect.stringMatching(
          /Documents need \d+ contents; 0 of them are missing\.\nRepeat also disposals that were made after the backup .*\n$/,
        ),
        errors: NO_ERRORS,
      });
      const restored = await start(to);
      const auditAfter = await restored.audit();
      expect(auditAfter).toEqual(auditAfter.map(({ id }) => audit.get(id)));
      const known = new Set(auditAfter.map(({ id }) => id));
      expect(auditBefore.filter(({ id }) => !known.has(id))).toEqual([]);
      // A new event log, with the events of the backup.
      const cursor = nextCursor ?? '';
      await expect(restored.events({ cursor })).rejects.toMatchObject({ status: 400 });
      while ((await restored.events({ limit: 200 })).items.length !== Math.min(auditAfter.length, 200))
        await sleep(50);
      // All uploads answered before the backup exist. Later uploads may be missing, but none is incomplete.
      const documents = await restored.documents();
      const ids = documents.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([...before.keys()]));
      for (const { id, content } of documents) expect(content?.sha256).toBe(sha256Of(texts.get(id) ?? ''));
      await expectWorking(restored, new Map(ids.map((id) => [id, texts.get(id) ?? ''])));
      // A new log with another key, which continues the former one.
      const lines = (await restored.text('/audit-log/export')).split('\n').slice(0, -1);
      const keys = parseKeys(await restored.text('/audit-log/keys'));
      const continues = earlier.note.split('\n').slice(0, 1);
      expect(lines.length).toBeGreaterThan(auditBefore.length);
      expect(findingsOf(lines, { keys, earlier: [earlier], continues })).toEqual([]);
      expect(findingsOf(lines, { keys, earlier: [earlier], continues: [] })).toHaveLength(1);
      await restored.stop();

      // A restore needs an empty database.
      const again = await ServiceProcess.run(to, 'tools/backup/restore', folder);
      expect(again).toMatchObject({ code: 2, errors: expect.stringContaining('is not empty') });
    });
  });

  it('creates files and folders that only their owner can read, in a folder readable by all', async () => {
    const server = await track(PostgresServer.start());
    const from = { DATABASE_URL: server.url, DATA_DIR: path.join(directory, 'readable', 'here') };
    await makeTenant(from);
    const store = new DiskContentStore(path.join(from.DATA_DIR, 'content'));
    await store.keep(randomUUID(), await store.receive(Readable.from([Buffer.from('Vermerk')]), 100));
    const folder = path.join(directory, 'readable', 'backup');
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);

    const umask = process.umask(0o022);
    try {
      // pg_dump has already created its file when it fails for lack of rights.
      expect(await ServiceProcess.run(from, 'tools/backup/backup', folder)).toMatchObject({ code: 1 });
      expect(await readableByOthers(folder)).toEqual([]);
      const reader = { ...from, DATABASE_URL: await server.readerUrl() };
      expect(await ServiceProcess.run(reader, 'tools/backup/backup', folder)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^Backed up the database and 1 contents/) as unknown as string,
      });
    } finally {
      process.umask(umask);
    }
    expect(await readdir(folder)).toEqual(['content', 'database.dump']);
    expect(await readableByOthers(folder)).toEqual([]);
    // The mode of the existing folder stays unchanged.
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
  });

  it('restores from a copy of the data folder of a stopped service with embedded PostgreSQL', async () => {
    const here = path.join(directory, 'embedded');
    const elsewhere = path.join(directory, 'embedded-copy');
    await makeTenant({ DATA_DIR: here });
    const service = await start({ DATA_DIR: here });
    const texts = new Map<string, string>();
    for (let number = 0; number < 3; number += 1) {
      const text = `Vermerk ${uniqueWord()} vor der Kopie`;
      texts.set(await service.upload(text), text);
    }
    await service.waitUntilProcessed();
    const audit = await service.audit();
    await service.stop();
    // Copy owners and modes: PostgreSQL requires its own user as the owner of its folder.
    await run('cp', ['-a', here, elsewhere]);
    await rm(here, { recursive: true });

    const restored = await start({ DATA_DIR: elsewhere });
    expect(await restored.audit()).toEqual(audit);
    expect((await restored.documents()).map(({ id }) => id).sort()).toEqual([...texts.keys()].sort());
    await expectWorking(restored, texts);
    await restored.stop();
  });
});

/** Files of a folder that contain these bytes. */
async function filesWith(folder: string, bytes: Buffer): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map(async (file) => [file, await readFile(file)] as const));
  return contents.filter(([, content]) => content.includes(bytes)).map(([file]) => file);
}

function uniqueWord(): string {
  return `kennung${randomUUID().replaceAll('-', '')}`;
}

/** Paths and modes of all files and folders below a folder that the group or others can access. */
async function readableByOthers(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const mode = (await stat(path.join(folder, name))).mode & 0o777;
    if (mode & 0o077) found.push(`${name} ${mode.toString(8)}`);
  }
  return found;
}
