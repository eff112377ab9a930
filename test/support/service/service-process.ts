import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../wait-until.js';

/** How long to wait for further output after the process has ended. Its child processes may keep the output open. */
const OUTPUT_DRAIN_MS = 5000;

/** Runs the service, a worker or a command in a separate process. */
export class ServiceProcess {
  /** Standard output. */
  output = '';
  /** Standard error. */
  errors = '';
  private readonly child: ChildProcess;
  private hasEnded = false;
  /** Resolves with the exit code, after the last output; null after a signal. */
  readonly exit: Promise<number | null>;

  constructor(
    environment: NodeJS.ProcessEnv,
    {
      entry = 'main',
      built = false,
      args = [],
    }: {
      /** Module path below `src`, without extension. */
      entry?: string;
      /** Whether to run the bundle (`main`, `worker`) instead of the sources that the tests have compiled. */
      built?: boolean;
      args?: readonly string[];
    } = {},
  ) {
    const programs = built ? 'dist/service' : process.env['TEST_COMPILED_SOURCES'];
    this.child = spawn(process.execPath, [`${programs}/${entry}.js`, ...args], {
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // A stream decoder, because a character may be split between two chunks.
    this.child.stdout?.setEncoding('utf8').on('data', (chunk) => (this.output += String(chunk)));
    this.child.stderr?.setEncoding('utf8').on('data', (chunk) => (this.errors += String(chunk)));
    const closed = once(this.child, 'close');
    this.exit = once(this.child, 'exit').then(async ([code]) => {
      await Promise.race([closed, sleep(OUTPUT_DRAIN_MS, undefined, { ref: false })]);
      this.hasEnded = true;
      return code as number | null;
    });
  }

  /** Runs a command to its end. */
  static async run(environment: NodeJS.ProcessEnv, entry: string, ...args: readonly string[]) {
    const command = new ServiceProcess(environment, { entry, args });
    return { code: await command.exit, output: command.output, errors: command.errors };
  }

  /** Waits until the standard output matches. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const description = () => `${String(pattern)}; output:\n${this.output}\n${this.errors}\n`;
    return waitFor(() => {
      const match = pattern.exec(this.output);
      if (!match && this.hasEnded) throw new Error(`The process ended without printing ${description()}`);
      return match ?? undefined;
    }, description);
  }

  /** Base URL, from the output of the service when it has started. */
  async url(): Promise<string> {
    return (await this.waitForOutput(/API\s+(http:\/\/\S+?)\/api/))[1] ?? '';
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Closes the reading end of its output, as `npm start | head` does. */
  closeOutput(): void {
    this.child.stdout?.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}
