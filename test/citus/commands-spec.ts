import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distributeDatabase } from '../../src/platform/database/distribution/distribute.js';
import { migrateDatabase } from '../../src/platform/database/schema/migrate.js';
import { ReleaseData } from '../services/upgrade/release-data.js';
import { runAsAdmin } from '../support/database-nodes.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../support/wait-until.js';
import { type ClusterDatabase, createClusterDatabase, createOwner } from './cluster-database.js';

const ADMINISTRATOR = 'administrator@people.example';
const SLUG = 'archive';

describe('Commands on a distributed database', () => {
  let directory: string;
  let database: ClusterDatabase;
  let environment: NodeJS.ProcessEnv;
  let processes: ServiceProcess[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'filing-commands-'));
    await createOwner();
    database = await createClusterDatabase();
    await distributeDatabase(database.ownerUrl, 4, () => undefined);
    environment = {
      DATABASE_URL: database.ownerUrl,
      DATA_DIR: path.join(directory, 'data'),
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ...LONG_DATABASE_TIMEOUTS,
    };
    const service = new ServiceProcess({ ...environment, WORKER_CONCURRENCY: '0' });
    processes = [service];
    environment = { ...environment, PUBLIC_URL: await service.url() };
  });
  afterAll(async () => {
    for (const process of processes ?? []) {
      process.signal('SIGTERM');
      await process.exit;
    }
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  it('npm run tenant, token, import and worker fill a tenant', async () => {
    const create = ['create', '--slug', SLUG, '--name', 'Archive', '--admin', ADMINISTRATOR];
    expect(await ServiceProcess.run(environment, 'tools/cli/tenant', ...create)).toMatchObject({
      code: 0,
      errors: '',
    });
    expect(await ServiceProcess.run(environment, 'tools/cli/tenant', ...create)).toMatchObject({
      code: 1,
      errors: `The slug ${SLUG} is already taken.\n`,
    });
    const issued = await ServiceProcess.run(
      environment,
      'tools/cli/token',
      '--tenant',
      SLUG,
      '--as',
      ADMINISTRATOR,
    );
    expect(issued).toMatchObject({ code: 0, errors: '' });
    const token = issued.output.trim();
    const url = environment['PUBLIC_URL'] ?? '';
    const send = async (requested: string, body?: object) => {
      const response = await fetch(`${url}/api/v1/t/${SLUG}${requested}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect([requested, response.ok]).toEqual([requested, true]);
      return (await response.json()) as { items: { title: string }[] };
    };
    await send('/file-types', { key: 'letters', nameDe: 'Schriftverkehr', nameEn: 'Letters' });

    const folder = path.join(directory, 'Registratur');
    await mkdir(folder);
    for (const name of ['Antrag.txt', 'Brief.txt']) await writeFile(path.join(folder, name), `Wort ${name}`);
    const args = ['--url', url, '--tenant', SLUG, '--file-type', 'letters', folder];
    expect(await ServiceProcess.run({ FILING_TOKEN: token }, 'tools/cli/import', ...args)).toMatchObject({
      code: 0,
      output:
        'Files: 1 created, 0 already existed.\nDocuments: 2 imported, 0 already existed, 0 failed.\n' +
        'Still being processed: 2.\n',
    });
    expect((await send('/documents?status=Processing')).items).toHaveLength(2);

    const worker = new ServiceProcess({ ...environment, WORKER_CONCURRENCY: '2' }, { entry: 'worker' });
    processes.push(worker);
    await waitUntil(
      async () => (await send('/documents?q=Wort')).items.length === 2,
      () => `the processing by the worker\n${worker.output}\n${worker.errors}`,
    );
    const limits = await ServiceProcess.run(environment, 'tools/cli/tenant', 'limits', SLUG, '--burst', '40');
    expect(limits).toMatchObject({ code: 0, output: expect.stringMatching(/\nburst +40\n/), errors: '' });
    for (const { output, errors } of processes)
      expect(output + errors).not.toMatch(/scheduled task failed|"level":"?(error|fatal|50|60)/);
  });

  it('npm run tenant changes, suspends and deletes a tenant', async () => {
    const create = ['create', '--slug', 'former', '--name', 'Former', '--admin', ADMINISTRATOR];
    const url = `${environment['PUBLIC_URL'] ?? ''}/api/v1/t/former/tags`;
    const tenant = async (...args: string[]) => {
      const { code, output, errors } = await ServiceProcess.run(environment, 'tools/cli/tenant', ...args);
      expect([args, code, errors]).toEqual([args, 0, args[0] === 'delete' ? 'Deleted former.\n' : '']);
      return output;
    };
    await tenant(...create, '--template', 'registry');
    const issued = await ServiceProcess.run(
      environment,
      'tools/cli/token',
      '--tenant',
      'former',
      '--as',
      ADMINISTRATOR,
    );
    const status = async () =>
      (await fetch(url, { headers: { authorization: `Bearer ${issued.output.trim()}` } })).status;
    expect(await status()).toBe(200);
    await tenant('add-admin', 'former', '--admin', 'other@people.example');
    await tenant('rename', 'former', '--name', 'Renamed');
    await tenant('suspend', 'former');
    expect(await status()).toBe(403);
    await tenant('resume', 'former');
    expect(await status()).toBe(200);
    await tenant('suspend', 'former');
    const record = JSON.parse(await tenant('delete', 'former', '--confirm', 'former')) as object;
    expect(record).toMatchObject({ name: 'Renamed', rows: { file_types: 4, document_types: 5, members: 1 } });
    expect(await status()).toBe(403);
    await tenant(...create);
  });

  it('npm run backup refuses it, and writes nothing', async () => {
    const folder = path.join(directory, 'backup');
    for (const url of [database.ownerUrl, database.superuserUrl])
      expect(
        await ServiceProcess.run({ ...environment, DATABASE_URL: url }, 'tools/backup/backup', folder),
      ).toEqual({
        code: 2,
        output: '',
        errors:
          'Citus distributes the database, so pg_dump cannot read a consistent state. ' +
          'Back up all nodes as described in docs/deployment.md. See --help.\n',
      });
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('npm run restore refuses it', async () => {
    const folder = path.join(directory, 'dump');
    await mkdir(folder);
    await writeFile(path.join(folder, 'database.dump'), '');
    expect(await ServiceProcess.run(environment, 'tools/backup/restore', folder)).toEqual({
      code: 2,
      output: '',
      errors: 'The database of DATABASE_URL is not empty. See --help.\n',
    });
  });
});

describe('A backup of a single server', () => {
  it('is restored on a coordinator, and distributed there', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-restore-'));
    await createOwner();
    const [plain, cluster] = [await createClusterDatabase('plain'), await createClusterDatabase()];
    try {
      const [release] = await ReleaseData.find();
      if (!release) throw new Error('There is no data of a release.');
      const [here, elsewhere, folder] = ['here', 'elsewhere', 'backup'].map((name) =>
        path.join(directory, name),
      );
      await release.restoreDatabase(plain.ownerUrl);
      await release.restoreContents(here ?? '');
      await migrateDatabase(plain.ownerUrl);
      const from = { DATABASE_URL: plain.superuserUrl, DATA_DIR: here };
      expect(await ServiceProcess.run(from, 'tools/backup/backup', folder ?? '')).toMatchObject({ code: 0 });
      const to = { DATABASE_URL: cluster.ownerUrl, DATA_DIR: elsewhere };
      expect(await ServiceProcess.run(to, 'tools/backup/restore', folder ?? '')).toEqual({
        code: 0,
        output: expect.stringMatching(
          /Documents need [1-9]\d* contents; 0 of them are missing\.\nRepeat also disposals .*\n$/,
        ),
        errors: expect.not.stringMatching(/Damaged|Missing|fail|refuse|pg_/),
      });
      expect(await ServiceProcess.run(to, 'tools/cli/distribute', '--shards', '4')).toMatchObject({
        code: 0,
        errors: '',
      });
      const count = 'SELECT count(*)::int AS documents FROM documents';
      expect(await runAsAdmin(cluster.superuserUrl, count)).toEqual(
        await runAsAdmin(plain.superuserUrl, count),
      );
    } finally {
      await plain.drop();
      await cluster.drop();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
