import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ownerDataSource } from '../../src/platform/database/data-source.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { Recording } from '../../src/platform/recording/recording.js';
import { TenantsService } from '../../src/platform/tenancy/tenants/tenants.service.js';
import { type BenchDatabase, openBenchDatabase, withClient } from '../database.js';
import { BenchIssuer } from '../issuer.js';
import { MailServer } from '../../test/support/servers/mail-server.js';
import { describeMachine } from '../machine.js';
import { table } from '../report.js';
import { ServerProcess } from '../server-process.js';
import { quantile } from '../statistics.js';
import { Attacker } from './attacker.js';
import { prepareAttacks } from './attacks.js';
import { type UserMeasurement } from './user.js';
import { MetricsSampler } from './metrics-sampler.js';

const HELP = `Runs all attacks from one tenant at once and measures the requests of another tenant.

  npm run bench:attacks

  --seconds <n>  Duration of each phase (default 30).
  --only <name>  Run only this attack.

The service runs as with \`npm start\`, with its default limits; with CONVERTER=libreoffice, it converts Office files. The output shows the requests of the other tenant before,
during and after the attacks, the memory and the event-loop delay of the service, and the answers to the attacks.
`;

const METRICS_PORT = 19_464;
/** Time that the mail server needs for a message. */
const MAIL_DELAY_MS = 5000;
const [ATTACKER, OTHER] = ['attacker', 'other'];
const ATTACKERS = ['mallory-1', 'mallory-2', 'mallory-3'];

const print = (text = '') => process.stdout.write(`${text}\n`);

async function makeTenants(ownerUrl: string): Promise<void> {
  const dataSource = await ownerDataSource(ownerUrl).initialize();
  const tenants = new TenantsService(await UnitOfWork.open(dataSource, new Recording()));
  const members: Record<string, readonly string[]> = { [ATTACKER]: ATTACKERS, [OTHER]: ['edith'] };
  try {
    for (const [slug, people] of Object.entries(members)) {
      const expectedMembers = people.map((name) => ({
        email: `${name}@bench.example`,
        roleKey: 'administrator' as const,
      }));
      await tenants.create({ slug, name: slug, expectedMembers });
    }
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Inserts 200 documents with 1 MB of Cyrillic text in 100 Text fields, 490 saved views with 20 conditions of 10,000
 * characters, 120,000 documents with a quantity, and 100,000 events.
 */
async function fillTenant(database: BenchDatabase, typeId: string): Promise<void> {
  await withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query<{ tenant: string; user: string }>(
      `SELECT t.tenant_id AS tenant, u.id AS user FROM tenant_slugs t, users u WHERE t.slug = $1 AND u.subject = $2`,
      [ATTACKER, ATTACKERS[0]],
    );
    const { tenant, user } = rows[0] ?? { tenant: '', user: '' };
    for (let n = 0; n < 200; n += 1) {
      await client.query(
        `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, document_type_id, fields)
         SELECT $1, $2, 'Large', 'Active', false, $3, $4,
                (SELECT jsonb_object_agg('f' || i, repeat('ж', 5000)) FROM generate_series(1, 100) i)`,
        [tenant, randomUUID(), user, typeId],
      );
    }
    for (let n = 0; n < 490; n += 1) {
      await client.query(
        `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
         SELECT $1, $2, $3, $4, $4, jsonb_build_object('documentTypeId', NULL, 'fileId', NULL, 'tagIds', '[]'::jsonb,
           'metadataConditions', (SELECT jsonb_agg(jsonb_build_object('fieldKey', 'f1', 'operator', 'EqualTo',
                                                                     'value', repeat('ж', 10000)))
                                    FROM generate_series(1, 20)))`,
        [tenant, randomUUID(), user, `view ${n}`],
      );
    }
    await client.query(
      `WITH added AS (
         INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by, created_at, document_type_id, fields)
         SELECT $1, gen_random_uuid(), 'Counted', 'Active', false, $2, now() - n * interval '1 second', t.id, '{"quantity":"1"}'
           FROM document_types t CROSS JOIN generate_series(1, 120000) n
          WHERE t.tenant_id = $1 AND t.key = 'counted' RETURNING *)
       INSERT INTO document_values (tenant_id, document_id, field_id, created_at, number_value)
       SELECT d.tenant_id, d.id, f.id, d.created_at, 1
         FROM added d JOIN document_type_fields f ON f.tenant_id = d.tenant_id AND f.document_type_id = d.document_type_id`,
      [tenant, user],
    );
    await client.query('ANALYZE documents, document_values');
    await client.query(
      `WITH entries AS (
         INSERT INTO audit_entries (tenant_id, id, actor_id, actor_name, action, subject_type, subject_id, related)
         SELECT $1, gen_random_uuid(), $2, 'Mallory', 'TagCreated', 'Tag', gen_random_uuid(), '{}'
           FROM generate_series(1, 100000) RETURNING id)
       INSERT INTO event_queue (tenant_id, entry_id) SELECT $1, id FROM entries`,
      [tenant, user],
    );
    const isQueued = async () =>
      ((await client.query('SELECT FROM event_queue WHERE tenant_id = $1 LIMIT 1', [tenant])).rowCount ?? 0) >
      0;
    while (await isQueued()) await sleep(500);
  });
}

/** Runs the user of the other tenant in a separate thread, so that the attacks do not delay this user. */
async function runUser(origin: string, token: string, seconds: number): Promise<UserMeasurement> {
  const worker = new Worker(new URL('./user.js', import.meta.url), {
    workerData: { base: `${origin}/api/v1/t/${OTHER}`, token, seconds },
  });
  const [measurement] = (await once(worker, 'message')) as [UserMeasurement];
  return measurement;
}

const counts = (statuses: ReadonlyMap<number, number>) =>
  [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`)
    .join(', ');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, seconds: { type: 'string' }, only: { type: 'string' } },
  });
  if (values.help) return void print(HELP);
  const seconds = Number(values.seconds ?? 30);
  const machine = describeMachine(null);
  const issuer = await BenchIssuer.start();
  const database = await openBenchDatabase(process.env.DATABASE_URL, undefined, () => undefined);
  const mails = await MailServer.start();
  mails.delayMs = MAIL_DELAY_MS;
  const stopping = new AbortController();
  let service: ServerProcess | undefined;
  try {
    await makeTenants(database.ownerUrl);
    service = await ServerProcess.start({
      program: 'service',
      environment: {
        DATABASE_URL: database.ownerUrl,
        DATA_DIR: path.join(database.folder, 'data'),
        OIDC_ISSUER: issuer.url,
        METRICS_PORT: String(METRICS_PORT),
        SMTP_URL: mails.url(),
        MAIL_FROM: 'filing@bench.example',
        CONVERTER: process.env.CONVERTER ?? 'off',
        LOG_LEVEL: 'fatal',
      },
      cores: null,
      logFile: path.join(database.folder, 'service.log'),
      probe: { path: '/readyz' },
    });
    const { origin, pid } = service;
    const tokenOf = (subject: string) => issuer.token({ subject, email: `${subject}@bench.example` });
    const attacker = new Attacker(origin, ATTACKER, await Promise.all(ATTACKERS.map(tokenOf)));
    const edith = await tokenOf('edith');
    for (let user = 0; user < ATTACKERS.length; user += 1)
      await attacker.send('setup', user, 'GET', attacker.path('/me'));
    const attacks = await prepareAttacks(attacker, await tokenOf('non-member'), origin);
    await fillTenant(database, attacks.typeId);

    const rows: string[][] = [];
    const quiet: number[] = [];
    const phase = async (name: string) => {
      const metrics = new MetricsSampler(pid, `http://127.0.0.1:${METRICS_PORT}/metrics`);
      const { latencies, statuses } = await runUser(origin, edith, seconds);
      const { heap, rss, delay } = metrics.stop();
      const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => quantile(latencies, share));
      if (quiet.length === 0) quiet.push(p50, p99);
      const ratios = [p50, p99].map((value, n) => (value / (quiet[n] ?? 1)).toFixed(1));
      const ms = (value: number) => `${value.toFixed(0)} ms`;
      rows.push([
        name,
        ms(p50),
        ms(p99),
        ratios.join(', '),
        counts(statuses),
        `${heap} MiB`,
        `${rss} MiB`,
        `${delay} ms`,
      ]);
    };
    await runUser(origin, edith, 5);
    await phase('before');
    const running = Object.entries(attacks.all)
      .filter(([name]) => values.only === undefined || name === values.only)
      .map(async ([, attack]) => {
        while (!stopping.signal.aborted) await attack();
      });
    await sleep(2000);
    await phase('during');
    stopping.abort();
    await Promise.race([Promise.all(running), sleep(20_000, undefined, { ref: false })]);
    await sleep(2000);
    await phase('after');
    print(
      table(
        [
          'attacks',
          'p50',
          'p99',
          'ratio to before (target 3)',
          'answers',
          'heap, maximum',
          'RSS, maximum',
          'event-loop delay, maximum',
        ],
        rows,
      ),
    );
    print();
    print(
      table(
        ['attack', 'answers'],
        [...attacker.answers].map(([name, byStatus]) => [name, counts(byStatus)]),
      ),
    );
    print();
    print(`Mails received: ${mails.received.length}, connections to the mail server: ${mails.connections}`);
    print(
      `${machine.processor}, ${machine.cores} cores; Node ${machine.node}; load average before the run: ${machine.loadBefore}`,
    );
  } finally {
    await service?.stop();
    await mails.stop();
    await issuer.stop();
    await database.stop();
  }
}

await main();
process.exit();
