import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service/service-process.js';

const { scripts } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Every npm script that runs a program of the build, with its entry below `src`: `start` with `main`, `token` with `tools/cli/token`. */
const COMMANDS = Object.entries(scripts).flatMap(([script, line]) => {
  const entry = /\bdist\/(?:src|service)\/(\S+)\.js$/.exec(line)?.[1];
  return entry === undefined ? [] : [[script, entry] as const];
});

/** A configuration with which no command works. */
const UNUSABLE = {
  PORT: 'none',
  DATA_DIR: '/proc/nowhere',
  DATABASE_URL: 'postgres://u:p@127.0.0.1:1/none',
};

const run = (entry: string, ...args: string[]) => ServiceProcess.run(UNUSABLE, entry, ...args);

describe('The commands of package.json', () => {
  it('are the documented ones', () => {
    expect(COMMANDS.map(([script]) => script).sort()).toEqual(
      [
        'backup',
        'distribute',
        'export',
        'extract',
        'import',
        'new-log',
        'reprocess',
        'restore',
        'start',
        'tenant',
        'token',
        'verify-audit',
        'worker',
      ].sort(),
    );
  });

  describe.each(COMMANDS)('%s', (script, entry) => {
    it('prints usage, options and examples for --help, even with an invalid configuration', async () => {
      const { code, output, errors } = await run(entry, '--help');
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      const usage = script === 'start' ? 'npm start' : `npm run (--silent )?${script}\\b`;
      expect(output).toMatch(new RegExp(`^\\w.*\\.\\n\\nUsage:\\n  ${usage}`));
      expect(output).toMatch(/\n\nOptions:\n(.*\n)*? {2}-h, --help +Prints this help\.\n/);
      expect(output).toMatch(new RegExp(`\\n\\nExamples?:\\n  .*${usage}`));
      expect(output.split('\n').filter((line) => line.length > 120)).toEqual([]);
    });

    it('rejects an unknown option before anything else, and mentions --help', async () => {
      const { code, output, errors } = await run(entry, '--nonsense');
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^Unknown option '--nonsense'\.( The options are --.*\.)? See --help\.\n$/);
    });
  });

  it.each(['create', 'list', 'limits'])('tenant %s has its own help', async (name) => {
    const { code, output, errors } = await run('tools/cli/tenant', name, '-h');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain(`npm run tenant -- ${name}`);
  });
});
