import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Extraction } from '../../src/extraction/extractor.js';
import { buildPdfOfStream, pageContent } from '../factories/pdf-files.js';
import { type ExtractionOptions, TestExtraction } from '../support/extraction.js';
import { awaited, eventually } from '../support/patience.js';

const MEBIBYTE = 1024 * 1024;

/** Takes a second or more to read for every few megabytes, and has text all the same. */
function slowPdf(size = 6 * MEBIBYTE): Buffer {
  const operators = Buffer.alloc(size, 'q Q ');
  return buildPdfOfStream(
    '<</Filter /FlateDecode>>',
    deflateSync(Buffer.concat([operators, pageContent(['fertig'])])),
  );
}

/** Takes so long to read that it is never done before something happens to it. */
const endlessPdf = () => slowPdf(80 * MEBIBYTE);

/** Not even as an entry that waits for a parent to take notice, which in a container nobody may do. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

describe('The pool of reading processes', () => {
  let extraction: TestExtraction;
  afterEach(() => extraction.stop());

  const start = async (options?: ExtractionOptions): Promise<TestExtraction> =>
    (extraction = await TestExtraction.start(options));

  /** The process that is at work, once one is. */
  const busyPid = async (other = 0): Promise<number> => {
    const pid = await awaited(
      () => extraction.pool.pids.busy.find((busy) => busy !== other),
      'A process at work',
    );
    // It has begun with the file.
    await sleep(200);
    return pid;
  };

  it('reads one file after the other in one process', async () => {
    await start();
    await extraction.extract('eins');
    const { idle } = extraction.pool.pids;
    expect(idle.length).toBe(1);
    await extraction.extract('zwei');
    expect(extraction.pool.pids).toEqual({ busy: [], idle });
  });

  it('exchanges a process after a hundred files', async () => {
    await start();
    await extraction.extract('x');
    const [first = 0] = extraction.pool.pids.idle;
    for (let count = 1; count < 100; count += 1) await extraction.extract('x');
    await eventually(() => !isAlive(first));
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('ends a process that has no work', async () => {
    await start({ idleMs: 100 });
    await extraction.extract('x');
    const [pid = 0] = extraction.pool.pids.idle;
    await eventually(() => !isAlive(pid));
    expect(extraction.pool.pids.idle).toEqual([]);
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('has as many processes as it may, and lets the others wait', async () => {
    await start({ processes: 2 });
    const path = await extraction.write(slowPdf(), 'slow.pdf');
    const request = { path, fileName: null, claimedType: 'application/pdf' };
    const results = Promise.all([1, 2, 3].map(() => extraction.pool.extract(request)));
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, extraction.pool.pids.busy.length)), 5);
    expect((await results).map(({ text }) => text)).toEqual(['fertig', 'fertig', 'fertig']);
    clearInterval(watch);
    expect(most).toBe(2);
  });

  describe('whose process is killed in the middle of a file', () => {
    it('reads the file once more', async () => {
      await start();
      const result = extraction.extract(slowPdf());
      process.kill(await busyPid(), 'SIGKILL');
      expect(await result).toMatchObject({ text: 'fertig', failure: null });
    });

    it('gives up after the second time, and works on', async () => {
      await start();
      const result = extraction.extract(endlessPdf());
      const first = await busyPid();
      process.kill(first, 'SIGKILL');
      process.kill(await busyPid(first), 'SIGKILL');
      const outcome: Partial<Extraction> = { text: null, failure: 'MemoryLimitExceeded' };
      expect(await result).toMatchObject(outcome);
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });
  });

  describe('with a signal', () => {
    it('ends the process of what is given up', async () => {
      await start();
      const abort = new AbortController();
      const result = extraction.extract(endlessPdf(), {}, abort.signal);
      const pid = await busyPid();
      abort.abort(new Error('genug'));
      await expect(result).rejects.toThrow('genug');
      await eventually(() => !isAlive(pid));
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });

    it('forgets what waits', async () => {
      await start();
      const path = await extraction.write(slowPdf(), 'slow.pdf');
      const next = await extraction.write('x');
      const request = { fileName: null, claimedType: '' };
      const first = extraction.pool.extract({ ...request, path });
      const abort = new AbortController();
      const second = extraction.pool.extract({ ...request, path: next }, abort.signal);
      abort.abort(new Error('genug'));
      await expect(second).rejects.toThrow('genug');
      expect((await first).text).toBe('fertig');
      expect((await extraction.extract('weiter')).text).toBe('weiter');
    });
  });

  it('ends all processes when the service stops, and rejects what is being read', async () => {
    await start();
    const result = extraction.extract(endlessPdf());
    const pid = await busyPid();
    extraction.pool.onApplicationShutdown();
    await expect(result).rejects.toThrow('The service is stopping.');
    await eventually(() => !isAlive(pid));
    await expect(extraction.extract('x')).rejects.toThrow('The service is stopping.');
  });

  it('rejects a file that is not there, which is no fault of the file', async () => {
    await start();
    const path = await extraction.write('x', 'gone');
    await rm(path);
    const request = { path, fileName: null, claimedType: 'text/plain' };
    await expect(extraction.pool.extract(request)).rejects.toThrow(/^The file cannot be read: ENOENT/);
    expect((await extraction.extract('weiter')).text).toBe('weiter');
  });

  it('gives its processes no secrets, no right to write, and the first place before the out-of-memory killer', async () => {
    process.env.EXTRACTION_TEST_SECRET = 'hunter2';
    await start();
    await extraction.extract('x');
    const [pid = 0] = extraction.pool.pids.idle;
    const about = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'latin1');
    expect(await about('environ')).not.toContain('hunter2');
    expect(await about('limits')).toMatch(/^Max core file size +0 .*$/m);
    expect(await about('limits')).toMatch(/^Max file size +0 .*$/m);
    expect(await about('limits')).toMatch(/^Max cpu time +1020 .*$/m);
    expect(await about('oom_score_adj')).toBe('1000\n');
    expect((await about('cmdline')).split('\0').join(' ')).toMatch(
      / --(?:experimental-)?permission --allow-fs-read=\* /,
    );
  });

  describe('of another process', () => {
    const parent = (...args: string[]): ChildProcess =>
      spawn(
        process.execPath,
        [
          '--no-warnings',
          '--import',
          new URL('../support/register-typescript.mjs', import.meta.url).href,
          fileURLToPath(new URL('../support/extraction-parent.ts', import.meta.url)),
          ...args,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
    const firstLine = async ({ stdout }: ChildProcess): Promise<string> => {
      if (!stdout) throw new Error('It has no output.');
      const [chunk] = (await once(stdout, 'data')) as [Buffer];
      return chunk.toString();
    };

    it('ends with it, even by kill -9', async () => {
      await start();
      const child = parent(await extraction.write(endlessPdf()), 'wait');
      const pid = Number(await firstLine(child));
      expect(isAlive(pid)).toBe(true);
      child.kill('SIGKILL');
      await eventually(() => !isAlive(pid));
    });

    it('does not keep it from ending', async () => {
      await start();
      const child = parent(await extraction.write('x'));
      const exited = once(child, 'exit');
      const pid = Number(await firstLine(child));
      expect(await exited).toEqual([0, null]);
      await eventually(() => !isAlive(pid));
    });
  });
});
