import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Settings } from '../../src/platform/content/s3-connection.js';
import { freeTestPort } from '../support/free-test-port.js';

const STORAGE = ['account', 'container', 'object'] as const;
/** On a busy machine, the start takes up to several minutes. */
const START_TIMEOUT_MS = 480_000;
/**
 * Longer timeouts between the Swift servers. The defaults of 1 to 10 s lead to 503 answers and late list entries on a busy
 * machine. The error limit prevents that Swift stops using a slow server, because there is only one of each kind.
 */
const TIMEOUTS = ['conn_timeout', 'node_timeout', 'recoverable_node_timeout', 'container_update_timeout']
  .map((setting) => `${setting} = 120`)
  .concat('client_timeout = 300', 'error_suppression_limit = 1000000')
  .join('\n');
const MISSING =
  'swift-proxy-server is not on the PATH; these tests need it (Debian: apt-get install swift-proxy swift-account swift-container swift-object)';

/** OpenStack Swift with its S3 API: an independent implementation that is small enough to start for a test. */
export class SwiftServer {
  private readonly processes: ChildProcess[] = [];

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<SwiftServer> {
    const directory = await mkdtemp(path.join(tmpdir(), 'filing-swift-'));
    await mkdir(path.join(directory, 'devices', 'd1'), { recursive: true });
    const port = await freeTestPort();
    const ports: number[] = [];
    while (ports.length < STORAGE.length) {
      const another = await freeTestPort();
      if (another !== port && !ports.includes(another)) ports.push(another);
    }
    const server = new SwiftServer(directory, port);
    try {
      for (const [n, kind] of STORAGE.entries()) await server.#startStorage(kind, ports[n] ?? 0);
      await server.#startProxy();
      await Promise.all([port, ...ports].map((each) => server.#waitForAnswer(each)));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get settings(): S3Settings {
    return {
      s3Endpoint: `http://127.0.0.1:${this.port}`,
      s3ForcePathStyle: true,
      s3AccessKeyId: 'test:tester',
      s3SecretAccessKey: 'testing',
    };
  }

  async stop(): Promise<void> {
    for (const child of this.processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  async #startStorage(kind: (typeof STORAGE)[number], port: number): Promise<void> {
    const builder = path.join(this.directory, `${kind}.builder`);
    for (const args of [
      ['create', '4', '1', '0'],
      ['add', `r1z1-127.0.0.1:${port}/d1`, '1'],
      ['rebalance'],
    ]) {
      const { error, status } = spawnSync('swift-ring-builder', [builder, ...args]);
      if (error) throw new Error(MISSING, { cause: error });
      // Status 1 is the warning that a ring with one device has no redundancy.
      if (status !== 0 && status !== 1) throw new Error(`swift-ring-builder ended with ${status}`);
    }
    await this.#run(kind, port, `devices = ${this.directory}/devices\nmount_check = false`, {});
  }

  async #startProxy(): Promise<void> {
    const filters = {
      // No memcached listens on this port. Swift needs only the filter.
      cache: 'use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:9',
      catch_errors: 'use = egg:swift#catch_errors',
      gatekeeper: 'use = egg:swift#gatekeeper',
      listing_formats: 'use = egg:swift#listing_formats',
      s3api:
        'use = egg:swift#s3api\nlocation = us-east-1\nmax_upload_part_num = 10000\nmin_segment_size = 1048576',
      tempauth: 'use = egg:swift#tempauth\nuser_test_tester = testing .admin',
      slo: 'use = egg:swift#slo\nminimum_segment_size = 1',
      dlo: 'use = egg:swift#dlo',
    };
    await this.#run('proxy', this.port, '', filters);
  }

  async #run(name: string, port: number, settings: string, filters: Record<string, string>): Promise<void> {
    const order = 'catch_errors gatekeeper cache listing_formats s3api tempauth slo dlo';
    const lines = [
      `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nlog_level = ERROR`,
      `user = ${userInfo().username}\nswift_dir = ${this.directory}\n${TIMEOUTS}\n${settings}`,
      `[pipeline:main]\npipeline = ${name === 'proxy' ? `${order} ` : ''}${name}-server`,
      // Swift requires this section name.
      `[app:${name}-server]\nuse = egg:swift#${name}`,
      name === 'proxy' ? 'account_autocreate = true' : '',
      ...Object.entries(filters).map(([filter, text]) => `[filter:${filter}]\n${text}`),
    ];
    const file = path.join(this.directory, `${name}.conf`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const child = spawn(`swift-${name}-server`, [file], { stdio: ['ignore', 'ignore', 'inherit'] });
    this.processes.push(child);
    child.on('error', () => undefined);
  }

  /** Waits until the server on the port answers with any status. */
  async #waitForAnswer(port: number): Promise<void> {
    for (const deadline = Date.now() + START_TIMEOUT_MS; ;) {
      if (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) return;
      const ended = this.processes.find(
        ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null,
      );
      if (ended) throw new Error(`Swift did not start: ${ended.spawnfile} ended with ${ended.exitCode}.`);
      if (Date.now() > deadline) throw new Error('Swift did not start.');
      await sleep(100);
    }
  }
}
