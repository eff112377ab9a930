import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freeTestPort } from '../support/free-test-port.js';

/** A real Redis on a loopback port, which keeps nothing on disk, and which a test can freeze, kill and start again. */
export class RedisServer {
  private process?: ChildProcess;

  private constructor(
    readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** `options` are those of its command line. */
  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freeTestPort(), options);
    await server.start();
    return server;
  }

  /** A server that is not there: nothing listens on its port until it is started. */
  static async absent(): Promise<RedisServer> {
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
      let said = '';
      child.stdout?.on('data', (text: Buffer) => {
        said += String(text);
        if (said.includes('Ready to accept connections')) resolve();
      });
    });
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  /** It keeps its connections and answers nothing. */
  freeze(): void {
    this.process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.process?.kill('SIGCONT');
  }

  /** A connection of the test's own. */
  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }
}
