import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const FROM_SOURCES = ['--import', './test/support/register-typescript.mjs'];
const PATIENCE_MS = 120_000;

/** The service, a worker or a command as a process of its own: from its sources, or as it has been built. */
export class ServiceProcess {
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  readonly exit: Promise<number | null>;

  constructor(
    environment: NodeJS.ProcessEnv,
    {
      entry = 'main',
      built = false,
      args = [],
    }: {
      entry?: 'main' | 'cli/worker' | 'cli/tenant' | 'cli/backup' | 'cli/restore';
      built?: boolean;
      args?: string[];
    } = {},
  ) {
    const command = built ? [`dist/src/${entry}.js`] : [...FROM_SOURCES, `src/${entry}.ts`];
    this.child = spawn(process.execPath, [...command, ...args], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk) => (this.output += String(chunk)));
    this.child.stderr?.on('data', (chunk) => (this.errors += String(chunk)));
    this.exit = once(this.child, 'exit').then(([code]) => code as number | null);
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (const begin = Date.now(); Date.now() - begin < PATIENCE_MS; await sleep(50)) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.child.exitCode !== null) break;
    }
    throw new Error(`${String(pattern)} was not printed:\n${this.output}\n${this.errors}`);
  }

  async url(): Promise<string> {
    return (await this.printed(/API\s+(http:\/\/\S+?)\/api/))[1] ?? '';
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
