import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, readdir, utimes } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigurationError } from '../../src/platform/config/configuration.js';
import { findConverter } from '../../src/platform/extraction/conversion/find-converter.js';
import { LibreOffice } from '../../src/platform/extraction/conversion/libreoffice.js';
import { findSandbox } from '../../src/platform/extraction/conversion/sandbox.js';
import { ReadingFailed } from '../../src/platform/extraction/extractor.js';
import { waitUntil } from '../support/wait-until.js';
import { QUIET, SharedFolder, requestFor } from './conversions.js';

jest.setTimeout(600_000);

/** Command lines that contain this text belong to programs of this test. */
const MARK = `31415926.${process.pid}`;
const ENDLESS = `sleep ${MARK}`;
const FILE = Buffer.from('a');

async function runningPrograms(): Promise<number> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    processes.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')),
  );
  return commands.filter((command) => command.startsWith('sleep') && command.includes(MARK)).length;
}

describe('A conversion that does not succeed', () => {
  let folder: SharedFolder;
  beforeAll(async () => {
    folder = await SharedFolder.create();
  });
  afterAll(() => folder.remove());

  async function converterWith(script: string, sandboxed = true): Promise<LibreOffice> {
    const program = await folder.writeProgram(script);
    const sandbox = sandboxed ? await findSandbox(program) : null;
    expect(sandbox !== null).toBe(sandboxed);
    return new LibreOffice(program, sandbox);
  }

  it.each([
    ['ends without a result', 'exit 1', 'Corrupted'],
    ['crashes', 'kill -SEGV $$', 'Corrupted'],
    ['uses too much processor time', 'kill -XCPU $$', 'TimeLimitExceeded'],
    ['writes too large a file', 'kill -XFSZ $$', 'OutputLimitExceeded'],
  ])('returns a failure of the file if LibreOffice %s', async (_, script, failure) => {
    const converter = await converterWith(script);
    expect(await converter.convert(requestFor(FILE), buffer)).toEqual({ result: null, failure });
  });

  it('returns MemoryLimitExceeded if the programs of a conversion use more memory, and ends them', async () => {
    const program = await folder.writeProgram(`${ENDLESS} & ${ENDLESS}`);
    const sandbox = await findSandbox(program);
    const converter = new LibreOffice(program, sandbox, undefined, 1024);
    expect(await converter.convert(requestFor(FILE), buffer)).toEqual({
      result: null,
      failure: 'MemoryLimitExceeded',
    });
    await waitUntil(async () => (await runningPrograms()) === 0);
  });

  it('has another version when the program is replaced', async () => {
    const program = await folder.writeProgram('exit 1');
    const converter = new LibreOffice(program, null);
    const before = converter.version;
    await utimes(program, 1, 1);
    expect(converter.version).not.toBe(before);
  });

  it('rejects with ReadingFailed if LibreOffice is killed from outside', async () => {
    const converter = await converterWith('kill -KILL $$');
    await expect(converter.convert(requestFor(FILE), buffer)).rejects.toThrow(ReadingFailed);
  });

  it('rejects with ReadingFailed if LibreOffice cannot be started', async () => {
    const program = await folder.writeProgram('exit 1');
    const converter = new LibreOffice(program, await findSandbox(program));
    await chmod(program, 0o644);
    await expect(converter.convert(requestFor(FILE), buffer)).rejects.toThrow(ReadingFailed);
  });

  it('does not depend on the PATH of the service', async () => {
    const converter = await converterWith('echo result >out/in.pdf');
    const before = process.env.PATH;
    process.env.PATH = '/nonexistent';
    try {
      expect(await converter.convert(requestFor(FILE), text)).toEqual({ result: 'result\n', failure: null });
    } finally {
      process.env.PATH = before;
    }
  });

  it('rejects with ReadingFailed if the sandbox cannot be made', async () => {
    const sandbox = { wrapper: ['false'], user: null };
    const converter = new LibreOffice(await folder.writeProgram('exit 1'), sandbox);
    await expect(converter.convert(requestFor(FILE), buffer)).rejects.toThrow(ReadingFailed);
  });

  it('returns OutputLimitExceeded for a file that is too large, without opening it', async () => {
    const open = jest.fn<() => never>();
    const request = requestFor(FILE, { open, size: 128 * 1024 * 1024 + 1 });
    const converter = await converterWith('exit 1');
    expect(await converter.convert(request, buffer)).toEqual({
      result: null,
      failure: 'OutputLimitExceeded',
    });
    expect(open).not.toHaveBeenCalled();
  });

  it('returns TimeLimitExceeded if the program does not end', async () => {
    const converter = await converterWith(ENDLESS);
    expect(await converter.convert(requestFor(FILE, { timeMs: 500 }), buffer)).toEqual({
      result: null,
      failure: 'TimeLimitExceeded',
    });
    await waitUntil(async () => (await runningPrograms()) === 0);
  });

  it('returns TimeLimitExceeded if the file cannot be opened in time', async () => {
    const converter = await converterWith('exit 1');
    const request = requestFor(FILE, { timeMs: 500, open: () => new Promise(() => undefined) });
    expect(await converter.convert(request, buffer)).toEqual({ result: null, failure: 'TimeLimitExceeded' });
  });

  it.each([true, false])(
    'rejects with the reason of a signal that is aborted before the start (sandbox: %s)',
    async (sandboxed) => {
      const converter = await converterWith(ENDLESS, sandboxed);
      const controller = new AbortController();
      const result = converter.convert(requestFor(FILE), buffer, controller.signal);
      controller.abort(new Error('aborted'));
      await expect(result).rejects.toThrow('aborted');
      await waitUntil(async () => (await runningPrograms()) === 0);
    },
  );

  it('rejects and ends the program when the service stops', async () => {
    const converter = await converterWith(ENDLESS);
    const result = converter.convert(requestFor(FILE), buffer);
    const rejected = expect(result).rejects.toThrow('stopping');
    await waitUntil(async () => (await runningPrograms()) === 1);
    converter.onApplicationShutdown();
    await rejected;
    await waitUntil(async () => (await runningPrograms()) === 0);
    await expect(converter.convert(requestFor(FILE), buffer)).rejects.toThrow('stopping');
  });

  it('ends processes that have left the process group', async () => {
    const converter = await converterWith(`setsid ${ENDLESS} </dev/null >/dev/null 2>&1 &\nexit 1`);
    await converter.convert(requestFor(FILE), buffer);
    expect(await runningPrograms()).toBe(0);
  });

  describe('in another process', () => {
    const parent = (...args: string[]): ChildProcess =>
      spawn(
        '/bin/sh',
        [
          ...['-c', 'ulimit -n 300; exec "$@"', 'sh', process.execPath, '--no-warnings', '--import'],
          new URL('../support/runner/register-typescript.mjs', import.meta.url).href,
          fileURLToPath(new URL('conversion-parent.ts', import.meta.url)),
          ...args,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );

    it('ends when that process is killed', async () => {
      const child = parent(await folder.writeProgram(ENDLESS));
      await waitUntil(async () => (await runningPrograms()) === 1);
      child.kill('SIGKILL');
      await waitUntil(async () => (await runningPrograms()) === 0);
    });

    it('rejects with ReadingFailed if there are no file descriptors', async () => {
      const child = parent(await folder.writeProgram('exit 1'), 'without descriptors');
      if (!child.stdout) throw new Error('It has no output.');
      const [printed, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      expect(printed).toMatch(/^ReadingFailed: .*EMFILE/);
      expect(exit).toEqual([0, null]);
    });
  });
});

describe('The start with CONVERTER=libreoffice', () => {
  let folder: SharedFolder;
  beforeAll(async () => {
    folder = await SharedFolder.create();
  });
  afterAll(() => folder.remove());

  const find = (environment: 'production' | 'test', variables: NodeJS.ProcessEnv, sandboxed = true) =>
    findConverter(
      { converter: 'libreoffice', environment },
      variables,
      QUIET,
      ...(sandboxed ? [] : [() => Promise.resolve(null)]),
    );

  it('fails without the program', async () => {
    const attempt = find('test', { PATH: '/nonexistent' });
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toThrow('soffice');
  });

  it.each(['fodt', 'fods', 'fodp'])(
    'fails if a part of LibreOffice is missing that reads %s',
    async (format) => {
      const script = `for file; do :; done\n[ "$file" != in.${format} ] && echo result >out/in.pdf`;
      const program = await folder.writeProgram(script, 'soffice');
      const attempt = find('test', { PATH: program.slice(0, program.lastIndexOf('/')) });
      await expect(attempt).rejects.toThrow(ConfigurationError);
      await expect(attempt).rejects.toThrow(`does not convert a ${format}`);
    },
  );

  it('fails in production without a sandbox', async () => {
    const attempt = find('production', process.env, false);
    await expect(attempt).rejects.toThrow(ConfigurationError);
    await expect(attempt).rejects.toThrow('isolate');
  });

  it('returns a converter outside production without a sandbox', async () => {
    expect(await find('test', process.env, false)).not.toBeNull();
  });

  it('returns a converter in production with a sandbox', async () => {
    expect(await find('production', process.env)).not.toBeNull();
  });
});
