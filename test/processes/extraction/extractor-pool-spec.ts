import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CommandLine } from '../../../src/platform/extraction/isolation.js';
import { buildPdfOfStream } from '../../factories/content/pdf-files.js';
import { type ExtractionOptions, TestExtraction } from '../../support/extraction.js';
import { waitUntil } from '../../support/wait-until.js';

const MEBIBYTE = 1024 * 1024;

/** A PDF that takes longer to read than the test that interrupts it. */
function endlessPdf(): Buffer {
  return buildPdfOfStream('<</Filter /FlateDecode>>', deflateSync(Buffer.alloc(80 * MEBIBYTE, 'q Q ')));
}

/** Command line of a script that replaces the reading program. */
function program(script: string): CommandLine {
  const withoutCoreDump = 'ulimit -c 0; exec "$0" "$@"';
  return { command: '/bin/sh', args: ['-c', withoutCoreDump, process.execPath, '--eval', script] };
}

/** Command line of a program that waits for a job like the reading program, and then runs the script `does`. */
function programThat(does: string): CommandLine {
  return program(`
    const channel = new (require('node:net').Socket)({ fd: 3 });
    const send = (message, sent) => channel.write(JSON.stringify(message) + '\\n', sent);
    channel.on('data', (line) => { const { job } = JSON.parse(line); ${does} });
    channel.on('close', () => process.exit());
    send({ kind: 'ready' });`);
}

/** Zombies do not count: in a container without an init process they may remain. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

describe('ExtractorPool', () => {
  let extraction: TestExtraction;
  afterEach(() => extraction.stop());

  const start = async (options?: ExtractionOptions): Promise<TestExtraction> =>
    (extraction = await TestExtraction.start(options));

  const request = async (name: string, content = name) => ({
    path: await extraction.write(content, name),
    owner: 'one',
    fileName: null,
    claimedType: 'text/plain',
  });

  /** Starts all processes of the pool and suspends them with SIGSTOP: they accept files, but do not read them yet. */
  const suspended = async (processes = 1): Promise<number[]> => {
    await start({ processes });
    const files = await Promise.all(
      Array.from({ length: processes }, (_, index) => request(`first-${index}`)),
    );
    await Promise.all(files.map((file) => extraction.pool.extract(file)));
    const { idle } = extraction.pool.pids;
    expect(idle).toHaveLength(processes);
    for (const pid of idle) process.kill(pid, 'SIGSTOP');
    return idle;
  };
  const busy = (count: number): Promise<void> =>
    waitUntil(() => extraction.pool.pids.busy.length === count, `The number of ${count} busy processes`);

  it('reads consecutive files in one process', async () => {
    await start();
    await extraction.extract('eins');
    const { idle } = extraction.pool.pids;
    expect(idle.length).toBe(1);
    await extraction.extract('zwei');
    expect(extraction.pool.pids).toEqual({ busy: [], idle });
  });

  it('uses a process for one owner only, and ends the longest idle one for another owner', async () => {
    await start({ processes: 2 });
    const ownerOf = async (owner: string) => {
      await extraction.extract(owner, { owner });
      return extraction.pool.pids.idle.at(-1) ?? 0;
    };
    const [one, two] = [await ownerOf('one'), await ownerOf('two')];
    expect([await ownerOf('one'), await ownerOf('two')]).toEqual([one, two]);
    const three = await ownerOf('three');
    expect(extraction.pool.pids).toEqual({ busy: [], idle: [two, three] });
    await waitUntil(() => !isAlive(one));
    expect([one, two, three]).not.toContain(await ownerOf('one'));
  });

  it('joins a text that is sent in several messages', async () => {
    await start();
    // The end of a message splits a surrogate pair.
    const text = `x${'😀ß"\\'.repeat(50_000)}`;
    expect((await extraction.extract(text)).text).toBe(text);
  });

  it('replaces a process after 100 files', async () => {
    await start();
    await extraction.extract('x');
    const [first = 0] = extraction.pool.pids.idle;
    for (let count = 1; count < 100; count += 1) await extraction.extract('x');
    await waitUntil(() => !isAlive(first));
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('ends an idle process', async () => {
    await start({ idleMs: 100 });
    await extraction.extract('x');
    const [pid = 0] = extraction.pool.pids.idle;
    await waitUntil(() => !isAlive(pid));
    expect(extraction.pool.pids.idle).toEqual([]);
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('reads one file per process at a time; further files wait', async () => {
    const pids = await suspended(2);
    const files = await Promise.all(['a', 'b', 'c'].map((name) => request(name)));
    const done: (string | null)[] = [];
    const all = files.map(async (file) => done.push((await extraction.pool.extract(file)).text));
    await busy(2);
    const [first = 0, second = 0] = pids;
    process.kill(first, 'SIGCONT');
    await waitUntil(() => done.length === 2);
    expect(done[1]).toBe('c');
    expect(extraction.pool.pids).toEqual({ busy: [second], idle: [first] });
    process.kill(second, 'SIGCONT');
    await Promise.all(all);
    expect(done.sort()).toEqual(['a', 'b', 'c']);
    expect(extraction.pool.pids.idle.sort()).toEqual(pids.sort());
  });

  describe('when a process fails', () => {
    it('rejects with the signal that killed it, and reads the next file', async () => {
      const [pid = 0] = await suspended();
      const result = extraction.extract('x');
      const rejected = expect(result).rejects.toMatchObject({
        name: 'ReadingFailed',
        message: 'A reading process ended unexpectedly (SIGKILL)',
        metadata: null,
      });
      await busy(1);
      process.kill(pid, 'SIGKILL');
      await rejected;
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });

    const pdf = { mediaType: 'application/pdf', pageCount: 3, image: null };
    const crash = `process.stderr.write('Fatal: x\\n'); process.exit(3);`;
    it.each<[string, CommandLine, object]>([
      [
        'with exit code and output when it does not start',
        program(`process.stderr.write('No native code\\n'); process.exit(7);`),
        { message: 'A reading process did not start (exit code 7): No native code', metadata: null },
      ],
      [
        'with signal and output when it has too little memory to start',
        program(`process.stderr.write('heap out of memory'); process.abort();`),
        {
          message: expect.stringMatching(/^A reading process did not start \(SIGABRT\): heap out of memory/),
        },
      ],
      [
        'with the error of the system when it cannot be started',
        { command: '/nowhere', args: [] },
        { message: 'A reading process failed: spawn /nowhere ENOENT', metadata: null },
      ],
      [
        'with exit code and output when it exits',
        programThat(crash),
        { message: 'A reading process ended unexpectedly (exit code 3): Fatal: x', metadata: null },
      ],
      [
        'with the metadata found before it exits',
        programThat(`send({ kind: 'metadata', job, metadata: ${JSON.stringify(pdf)} }, () => { ${crash} });`),
        { message: 'A reading process ended unexpectedly (exit code 3): Fatal: x', metadata: pdf },
      ],
      [
        'with the signal when it crashes',
        programThat(`process.kill(process.pid, 'SIGSEGV');`),
        { message: 'A reading process ended unexpectedly (SIGSEGV)' },
      ],
      [
        'when it sends an invalid message',
        programThat(`send({ kind: 'done', job, extraction: { mediaType: 'x' } });`),
        { message: 'A reading process sent an invalid message' },
      ],
    ])('rejects %s', async (_, commandLine, error) => {
      await start({ commandLine });
      await expect(extraction.extract('x')).rejects.toMatchObject({ name: 'ReadingFailed', ...error });
      expect(extraction.pool.pids).toEqual({ busy: [], idle: [] });
    });
  });

  it.each([
    ['SIGXCPU', 'TimeLimitExceeded', `process.kill(process.pid, 'SIGXCPU');`],
    ['a full heap', 'MemoryLimitExceeded', `process.stderr.write('heap out of memory'); process.abort();`],
  ])('reports a process that ends by %s as %s', async (_, failure, does) => {
    await start({ commandLine: programThat(does) });
    expect(await extraction.extract('x')).toMatchObject({ text: null, failure });
  });

  describe('with an AbortSignal', () => {
    it('ends the process that reads the file', async () => {
      const [pid = 0] = await suspended();
      const abort = new AbortController();
      const rejected = expect(extraction.extract('x', {}, abort.signal)).rejects.toThrow('genug');
      await busy(1);
      abort.abort(new Error('genug'));
      await rejected;
      await waitUntil(() => !isAlive(pid));
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });

    it('removes a waiting file', async () => {
      const [pid = 0] = await suspended();
      const first = extraction.pool.extract(await request('eins'));
      const abort = new AbortController();
      const second = extraction.pool.extract(await request('zwei'), abort.signal);
      abort.abort(new Error('genug'));
      await expect(second).rejects.toThrow('genug');
      process.kill(pid, 'SIGCONT');
      expect((await first).text).toBe('eins');
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });
  });

  it('ends all processes and rejects pending files when the service stops', async () => {
    const [pid = 0] = await suspended();
    const rejected = expect(extraction.extract('x')).rejects.toThrow('The service is stopping.');
    await busy(1);
    extraction.pool.onApplicationShutdown();
    await rejected;
    await waitUntil(() => !isAlive(pid));
    await expect(extraction.extract('x')).rejects.toThrow('The service is stopping.');
  });

  it('rejects a file that cannot be opened', async () => {
    await start();
    const gone = await request('gone');
    await rm(gone.path);
    await expect(extraction.pool.extract(gone)).rejects.toMatchObject({
      name: 'ReadingFailed',
      message: expect.stringMatching(/^The file cannot be read: ENOENT/),
    });
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('starts processes without secrets or the right to write, as first target of the OOM killer', async () => {
    process.env.EXTRACTION_TEST_SECRET = 'hunter2';
    await start();
    await extraction.extract('x').finally(() => delete process.env.EXTRACTION_TEST_SECRET);
    const [pid = 0] = extraction.pool.pids.idle;
    const about = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'latin1');
    expect(await about('environ')).not.toContain('hunter2');
    expect(await about('limits')).toMatch(/^Max core file size +0 .*$/m);
    expect(await about('limits')).toMatch(/^Max file size +0 .*$/m);
    expect(await about('limits')).toMatch(/^Max cpu time +1020 .*$/m);
    expect(await about('oom_score_adj')).toBe('1000\n');
    const allowed = (await about('cmdline'))
      .split('\0')
      .filter((argument) => /^--(?:allow|.*permission)/.test(argument));
    const [permission, ...reads] = allowed;
    expect(permission).toMatch(/^--(?:experimental-)?permission$/);
    expect(
      reads.filter((read) => !/^--allow-fs-read=.*(?:node_modules\b.*|package\.json)$/.test(read)),
    ).toEqual([]);
  });

  describe('in another process', () => {
    const parent = (...args: string[]): ChildProcess =>
      spawn(
        process.execPath,
        [
          '--no-warnings',
          '--import',
          new URL('../../support/runner/register-typescript.mjs', import.meta.url).href,
          fileURLToPath(new URL('extraction-parent.ts', import.meta.url)),
          ...args,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
    const firstLine = async ({ stdout }: ChildProcess): Promise<string> => {
      if (!stdout) throw new Error('It has no output.');
      const [chunk] = (await once(stdout, 'data')) as [Buffer];
      return chunk.toString();
    };

    it('ends its processes when that process is killed with SIGKILL', async () => {
      await start();
      const child = parent(await extraction.write(endlessPdf()), 'wait');
      const pid = Number(await firstLine(child));
      expect(isAlive(pid)).toBe(true);
      child.kill('SIGKILL');
      await waitUntil(() => !isAlive(pid));
    });

    it('does not prevent that process from exiting', async () => {
      await start();
      const child = parent(await extraction.write('x'));
      const exited = once(child, 'exit');
      const pid = Number(await firstLine(child));
      expect(await exited).toEqual([0, null]);
      await waitUntil(() => !isAlive(pid));
    });
  });
});
