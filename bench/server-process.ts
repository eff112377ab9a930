import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/platform/database/embedded/postgres-server.js';
import { type Cores, pinned } from './machine.js';

/** This file is compiled to `dist/bench`. */
const BENCH = path.dirname(fileURLToPath(import.meta.url));
const CHECKOUT = path.join(BENCH, '..', '..');
const START_TIMEOUT_MS = 60_000;
const PROBE_EVERY_MS = 5;

interface Program {
  readonly file: string;
  readonly nodeOptions: readonly string[];
}

/** The service in this or another checkout, with the Node options of `npm start`. */
export function serviceProgram(checkout = CHECKOUT): Program {
  const { scripts } = JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ');
  return { file: path.join(checkout, words.at(-1) ?? ''), nodeOptions: words.slice(1, -1) };
}

/** The service in separate modules, so that a profile shows their names. */
export const SEPARATE_MODULES = path.join(CHECKOUT, 'dist/src/main.js');

export function peerProgram(name: 'bare' | 'fastify'): Program {
  return { file: path.join(BENCH, 'peers', `${name}.js`), nodeOptions: [] };
}

export interface ServerOptions extends Program {
  readonly environment: Readonly<Record<string, string>>;
  readonly cores: Cores | null;
  /** File for standard output and standard error. */
  readonly logFile: string;
  /** Request that is repeated until its status is 200, which ends the start. */
  readonly probe: { readonly path: string; readonly headers?: Readonly<Record<string, string>> };
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
    const { file, nodeOptions, environment, cores, logFile, probe } = options;
    const port = await freePort();
    const [command, ...args] = pinned(cores, [process.execPath, ...nodeOptions, file]);
    const log = openSync(logFile, 'a');
    const began = performance.now();
    const child = spawn(command, args, {
      env: {
        ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production' },
        ...{ PORT: String(port), METRICS_PORT: '0' },
        ...environment,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    // When the benchmark is interrupted. With several processes, the first one stops the others.
    process.once('exit', () => child.kill());
    const origin = `http://127.0.0.1:${port}`;
    try {
      await waitUntilReady(child, origin + probe.path, options);
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

async function waitUntilReady(
  child: ChildProcess,
  url: string,
  { file, logFile, probe: { headers = {} } }: ServerOptions,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null)
      throw new Error(`${file} ended during its start:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
    // Null while the server does not listen yet.
    const response = await fetch(url, { headers }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    await sleep(PROBE_EVERY_MS);
  }
  throw new Error(`${file} did not answer ${url} with 200 within ${START_TIMEOUT_MS / 1000} s`);
}
