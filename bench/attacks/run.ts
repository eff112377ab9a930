import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { MailServer } from '../../test/support/servers/mail-server.js';
import { ApiClient } from '../api-client.js';
import { type BenchArguments, isSelected } from '../arguments.js';
import { type BenchEnvironment } from '../environment.js';
import { memoryOf } from '../machine.js';
import { type Outcome, print, printTable } from '../report.js';
import { quantile } from '../statistics.js';
import { prepareTenant } from './attacker-tenant.js';
import { Attacker } from './attacker.js';
import { attacksOf } from './attacks.js';
import { type UserMeasurement } from './user.js';

const METRICS_PORT = 19_464;
const SAMPLE_EVERY_MS = 500;
/** Time that the mail server needs for a message. */
const MAIL_DELAY_MS = 5000;
const [ATTACKER, OTHER] = ['attacker', 'other'];
const ATTACKERS = ['mallory-1', 'mallory-2', 'mallory-3'];

/** Maximums of one phase, in MiB and milliseconds. A value is 0 when the service never answered. */
const NOTHING = { heap: 0, rss: 0, delay: 0 };

async function sampleService(pid: number): Promise<typeof NOTHING> {
  const rss = memoryOf(pid).now;
  const response = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).catch(() => null);
  const text = (await response?.text()) ?? '';
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return {
    heap: value('nodejs_heap_size_used_bytes') / 1024 / 1024,
    rss: Number.isNaN(rss) ? 0 : rss,
    delay: value('nodejs_eventloop_lag_max_seconds') * 1000,
  };
}

/**
 * A user of the other tenant, in a thread of its own. Requests of this user have the normal priority, the attackers the
 * lowest one: they have computers of their own, and must not delay this user or the database by what they need themselves.
 */
class User {
  private readonly worker: Worker;

  constructor(origin: string, token: string) {
    const workerData = { base: `${origin}/api/v1/t/${OTHER}`, token };
    this.worker = new Worker(new URL('./user.js', import.meta.url), { workerData });
  }

  async use(seconds: number): Promise<UserMeasurement> {
    this.worker.postMessage(seconds);
    const [measurement] = (await once(this.worker, 'message')) as [UserMeasurement];
    return measurement;
  }

  stop(): Promise<number> {
    return this.worker.terminate();
  }
}

const counts = (statuses: ReadonlyMap<number, number>) =>
  [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`)
    .join(', ');

/** Runs all attacks of one tenant at once; measures the service and a user of another tenant before, during and after. */
export async function attack(bench: BenchEnvironment, args: BenchArguments): Promise<Outcome> {
  const mails = await MailServer.start();
  mails.delayMs = MAIL_DELAY_MS;
  await bench.createTenant(ATTACKER, ATTACKERS);
  await bench.createTenant(OTHER, ['edith']);
  const { origin, pid } = await bench.startService({
    environment: {
      // In production, webhooks cannot have the URL of the receiver: HTTP, on a loopback address.
      NODE_ENV: 'development',
      METRICS_PORT: String(METRICS_PORT),
      SMTP_URL: mails.url(),
      MAIL_FROM: 'filing@bench.example',
      CONVERTER: process.env.CONVERTER ?? 'off',
      LOG_LEVEL: 'fatal',
    },
  });
  const tokens = await Promise.all(ATTACKERS.map((user) => bench.tokenOf(user)));
  const nonMember = await bench.tokenOf('non-member');
  const user = new User(origin, await bench.tokenOf('edith'));
  // The first request of a member accepts the membership.
  for (const token of tokens) await new ApiClient(origin, ATTACKER, token).get('/me');
  const client = new ApiClient(origin, ATTACKER, tokens[0] ?? '');
  const tenant = await prepareTenant(client, bench.database.ownerUrl);
  const attackers = new Map<string, Attacker>();
  const attacks = attacksOf(tenant, client, (name, isMember = true) => {
    const attacker = isMember
      ? new Attacker(origin, ATTACKER, tokens)
      : new Attacker(origin, 'no-such-tenant', [nonMember]);
    attackers.set(name, attacker);
    return attacker;
  });
  const selected = Object.entries(attacks).filter(([name]) => isSelected(name, args.only));
  for (const [, { prepare }] of selected) await prepare?.();

  const measure = async () => {
    const max = { ...NOTHING };
    const timer = setInterval(
      () =>
        void sampleService(pid).then(({ heap, rss, delay }) => {
          max.heap = Math.max(max.heap, heap);
          max.rss = Math.max(max.rss, rss);
          max.delay = Math.max(max.delay, delay);
        }),
      SAMPLE_EVERY_MS,
    );
    const { latencies, statuses } = await user.use(args.seconds);
    clearInterval(timer);
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return { p50, p99, answers: counts(statuses), ...max };
  };
  await user.use(5);
  setPriority(constants.priority.PRIORITY_LOW);
  const before = await measure();
  const during: Record<string, Awaited<ReturnType<typeof measure>>> = {};
  const alone = args.each ? selected.map((one): [string, typeof selected] => [one[0], [one]]) : [];
  for (const [name, group] of [...alone, ['all attacks', selected] as const]) {
    let isOver = false;
    const running = group.map(async ([, { round }]) => {
      while (!isOver) await round();
    });
    await sleep(2000);
    during[name] = await measure();
    isOver = true;
    await Promise.race([Promise.all(running), sleep(20_000)]);
    await sleep(2000);
  }
  const after = await measure();
  await user.stop();
  await mails.stop();

  const phases = { before, ...during, after };
  printTable(
    [
      ...['attacks', 'p50', 'p99', 'ratio to before (target 3)', 'answers'],
      ...['heap, maximum', 'RSS, maximum', 'event-loop delay, maximum'],
    ],
    Object.entries(phases).map(([name, { p50, p99, answers, heap, rss, delay }]) => [
      ...[name, `${p50.toFixed(0)} ms`, `${p99.toFixed(0)} ms`],
      `${(p50 / before.p50).toFixed(1)}, ${(p99 / before.p99).toFixed(1)}`,
      ...[answers, `${heap.toFixed(0)} MiB`, `${rss.toFixed(0)} MiB`, `${delay.toFixed(0)} ms`],
    ]),
  );
  const answers = [...attackers].map(([name, attacker]) => [name, counts(attacker.answers)] as const);
  printTable(
    ['attack', 'answers'],
    answers.filter(([, text]) => text !== ''),
  );
  print(`Mails received: ${mails.received.length}, connections to the mail server: ${mails.connections}`);
  return { results: { ...phases, answers: Object.fromEntries(answers) }, met: true };
}
