import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cores, pinned } from './machine.js';

/** The folder `dist`; this file is compiled to `dist/bench`. */
const DIST = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const START_TIMEOUT_MS = 60_000;

/** Node options of `npm start` in a checkout. */
function startOptions(checkout: string): string[] {
  const file = readFileSync(path.join(checkout, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(file) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(1, -1);
}

export const PEERS = {
  bare: path.join(DIST, 'bench', 'peers', 'bare.js'),
  fastify: path.join(DIST, 'bench', 'peers', 'fastify.js'),
  nest: path.join(DIST, 'bench', 'peers', 'nest.js'),
} as const;

export interface ServerOptions {
  readonly program: 'service' | keyof typeof PEERS;
  /** Folder of the checkout with the build to run; this checkout by default. */
  readonly checkout?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cores: Cores | null;
  /** File for standard output and standard error. */
  readonly logFile: string;
  readonly nodeOptions?: readonly string[];
  /** Request that is repeated until its status is 200, which ends the start. */
  readonly probe: { readonly path: string; readonly headers?: Readonly<Record<string, string>> };
  /** Milliseconds between two probes. */
  readonly probeEvery?: number;
}

export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
    readonly pid: number,
    /** Milliseconds from the start of the process to the first answer 200. */
    readonly startMs: number,
  ) {}

  static async start(options: ServerOptions): Promise<ServerProcess> {
    const { checkout = path.join(DIST, '..') } = options;
    const port = await freePort();
    const [command, ...args] = pinned(options.cores, [
      process.execPath,
      ...(options.program === 'service' ? startOptions(checkout) : []),
      ...(options.nodeOptions ?? []),
      options.program === 'service' ? path.join(checkout, 'dist/src/main.js') : PEERS[options.program],
    ]);
    const log = openSync(options.logFile, 'a');
    const began = performance.now();
    const child = spawn(command, args, {
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production' },
        ...{ PORT: String(port), METRICS_PORT: '0' },
        ...options.environment,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    // When the benchmark is interrupted. With several processes, the first one stops the others.
    process.once('exit', () => child.kill());
    const origin = `http://127.0.0.1:${port}`;
    try {
      await waitUntilReady(child, `${origin}${options.probe.path}`, options);
      // taskset replaces itself by the server (exec), so this is the process id of the server.
      return new ServerProcess(child, origin, child.pid ?? 0, performance.now() - began);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    await ended;
    clearTimeout(timer);
  }
}

async function waitUntilReady(child: ChildProcess, url: string, options: ServerOptions): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) {
      throw new Error(
        `${options.program} ended during its start:\n${readFileSync(options.logFile, 'utf8').slice(-4000)}`,
      );
    }
    try {
      const response = await fetch(url, { headers: options.probe.headers ?? {} });
      await response.arrayBuffer();
      if (response.status === 200) return;
    } catch {
      // The server does not listen yet.
    }
    await sleep(options.probeEvery ?? 20);
  }
  throw new Error(`${options.program} did not answer ${url} with 200 within ${START_TIMEOUT_MS / 1000} s`);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
