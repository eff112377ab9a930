import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freeTestPort } from '../support/free-test-port.js';

/** A real Redis on a loopback port, without persistence. A test can freeze, kill and restart it. */
export class RedisServer {
  private process?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** @param options command line options */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freeTestPort(), options);
    await server.start();
    return server;
  }

  static async stopped(): Promise<RedisServer> {
    return new RedisServer(await freeTestPort(), []);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--port', `${this.port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...this.options],
      { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/' },
    );
    this.process = child;
    await new Promise<void>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        const missing =
          'redis-server is not on the PATH; these tests need it (Debian: apt-get install redis-server)';
        reject(error.code === 'ENOENT' ? new Error(missing) : error);
      });
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} instead of starting`)));
      let output = '';
      child.stdout?.on('data', (text: Buffer) => {
        output += String(text);
        if (output.includes('Ready to accept connections')) resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  /** Suspends the process: connections stay open without answers. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** Runs commands on a separate connection. */
  async run<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url);
    try {
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }
}
