import { execFile } from 'node:child_process';
import { chown, copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandLine } from '../../../src/platform/extraction/command-line.js';
import { type Barriers, NO_ISOLATION, PROGRAM } from '../../../src/platform/extraction/isolation.js';
import { buildDocx, paragraph } from '../../factories/content/office-files.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { TestExtraction } from '../../support/extraction.js';
import { TestService } from '../../support/service/service.js';

const run = promisify(execFile);
const support = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NOBODY = { uid: 65_534, gid: 65_534 };
const IS_ROOT = process.getuid?.() === 0;

interface Report {
  readonly barriers: Barriers;
  readonly facts: {
    readonly ownUser: boolean;
    readonly noNewPrivileges: boolean;
    readonly capabilities: string;
  };
  readonly outcomes: Record<string, string>;
}

/** Whether other users can enter the folder: not where it is below root's home. */
function isOpen(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpen(parent));
}

const IS_OPEN = isOpen(path.dirname(support('')));

/**
 * The service may run as root, or as a user without rights. Where this runs as such a user, or as root where no other
 * user can read the program, only as that one.
 */
const users: [string, object][] = IS_ROOT
  ? [['root', {}], ...(IS_OPEN ? [['an ordinary user', NOBODY] as [string, object]] : [])]
  : [['an ordinary user', {}]];

describe.each(users)('A reading process that runs hostile code, of a service that runs as %s', (_, user) => {
  let folder: string;
  let program: string;
  let databasePort: number;
  beforeAll(async () => {
    const { database } = await TestService.shared();
    databasePort = Number(new URL(database.serviceUrl).port);
    folder = await mkdtemp(path.join(tmpdir(), 'reading-test-'));
    // Beside the reader, where the process may read.
    program = path.join(await realpath(path.dirname(PROGRAM)), `hostile-${path.basename(folder)}.mjs`);
    await copyFile(support('hostile-reader.mjs'), program);
  });
  afterAll(async () => {
    await rm(program, { force: true });
    await rm(folder, { recursive: true, force: true });
  });

  /** Reads a file that makes its reader try `attacks`, in a process that has so many MiB of heap. */
  async function read<T>(attacks: object, heap: number, ...how: string[]): Promise<T> {
    const file = path.join(folder, 'hostile');
    await writeFile(file, JSON.stringify(attacks));
    if ('uid' in user) for (const name of [folder, file]) await chown(name, NOBODY.uid, NOBODY.gid);
    const args = [support('reading-service.mjs'), path.dirname(path.dirname(PROGRAM)), program, file, ...how];
    const env = { PATH: process.env.PATH, SERVICE_SECRET: 'hunter2' };
    const options = ['--no-warnings', `--max-old-space-size=${heap}`];
    const { stdout } = await run(process.execPath, [...options, ...args], { ...user, env, cwd: '/' });
    return JSON.parse(stdout) as T;
  }

  async function attack(...how: string[]): Promise<Report> {
    const secret = path.join(folder, 'password');
    await writeFile(secret, 'hunter2', { mode: 0o600 });
    if ('uid' in user) await chown(secret, NOBODY.uid, NOBODY.gid);
    const attacks = {
      ownEnvironment: ['read', '/proc/self/environ'],
      password: ['read', secret],
      otherContent: ['open', PROGRAM.replace(/[^/]+$/, '../../../../../package-lock.json')],
      newFile: ['write', path.join(folder, 'written')],
      program: ['spawn', '/bin/true'],
      database: ['connect', databasePort],
    };
    return read<Report>(attacks, 512, ...how);
  }

  const refused = (outcome: string | undefined): boolean => outcome?.startsWith('refused: ') === true;

  it('gets nothing but its file, and the network only where the platform cannot take it', async () => {
    const { barriers, facts, outcomes } = await attack();
    const { database, signalToParent, ...files } = outcomes;
    expect(Object.entries(files).filter(([, outcome]) => !refused(outcome))).toEqual([]);
    expect(Object.keys(files).sort()).toEqual([
      'newFile',
      'otherContent',
      'ownEnvironment',
      'parentEnvironment',
      'parentMemory',
      'password',
      'program',
    ]);
    expect([refused(database), refused(signalToParent)]).toEqual([barriers.noNetwork, barriers.ownUser]);
    expect(facts).toMatchObject({
      ownUser: barriers.ownUser,
      noNewPrivileges: barriers.noNewPrivileges,
      capabilities: '0000000000000000',
    });
  });

  it('gets what the barriers of the platform leave when it breaks out of Node’s permission model', async () => {
    const { barriers, outcomes } = await attack('native');
    expect(outcomes.ownEnvironment).not.toContain('hunter2');
    const held = Object.fromEntries(
      Object.entries(outcomes).map(([name, outcome]) => [name, refused(outcome)]),
    );
    const apart = barriers.ownUser || barriers.ownNamespace;
    // Where its user cannot read the program, it loads that first, and cannot read itself afterwards either.
    const changed = barriers.ownUser && !IS_OPEN;
    expect(held).toEqual({
      ownEnvironment: changed,
      parentEnvironment: apart,
      parentMemory: apart,
      password: barriers.ownUser,
      otherContent: changed,
      newFile: barriers.ownUser,
      program: false,
      database: barriers.noNetwork,
      signalToParent: barriers.ownUser,
    });
  });

  const unknownForm = 'A reading process sent a message of unknown form';
  const tooMuch = 'A reading process sent more than 4048576 bytes';
  it.each([
    ['one endless message', unknownForm],
    ['a message of a million objects', unknownForm],
    ['an error that cannot become a string', unknownForm],
    ['messages without end', tooMuch],
    ['text without end', 'A reading process sent more text than is kept'],
    ['single bytes', `(?:${unknownForm}|${tooMuch})`],
    ['standard error', tooMuch],
  ])('is killed for sending %s, and a service with a small heap goes on', async (flood, reason) => {
    const outcome = await read<{ reason: string; left: object }>({ flood }, 48);
    expect(outcome).toEqual({
      reason: expect.stringMatching(`^${reason}(?:: x{4096})?$`),
      left: { busy: [], idle: [] },
    });
  });
});

describe('A reading process', () => {
  let extraction: TestExtraction;
  afterAll(() => extraction.stop());

  it('reads files after it has changed its user, which only a service of root asks for', async () => {
    const user = IS_ROOT ? NOBODY : null;
    const limits = { timeMs: 240_000, memory: 2 ** 29, decompressed: 2 ** 28, text: 500_000 };
    const line = commandLine(limits, null, { ...NO_ISOLATION, user, switchUserAt: 'loaded' });
    extraction = await TestExtraction.start({ commandLine: line });
    expect(await extraction.extract(buildPdf([['Seite eins']]))).toMatchObject({
      text: 'Seite eins',
      failure: null,
    });
    expect((await extraction.extract(buildDocx({ body: paragraph('Absatz') }))).text).toBe('Absatz');
  });
});
