import { execFile } from 'node:child_process';
import { chown, copyFile, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Barriers,
  type CommandLine,
  NO_ISOLATION,
  type NativeCode,
  PROGRAM,
  commandLine,
} from '../../../src/platform/extraction/isolation.js';
import { HEIC_FILE } from '../../factories/content/heic-file.js';
import { buildMessage } from '../../factories/content/mail-messages.js';
import {
  buildDocx,
  buildOpenDocument,
  buildPptx,
  buildXlsx,
  paragraph,
} from '../../factories/content/office-files.js';
import { buildOutlookMessage } from '../../factories/content/outlook-message.js';
import { buildPdf } from '../../factories/content/pdf-files.js';
import { buildPicture, buildTiffPictures, group4Bits } from '../../factories/content/pictures.js';
import { buildZip } from '../../factories/content/zip-file.js';
import { TestExtraction } from '../../support/extraction.js';
import { TestPreviews } from '../../support/previews.js';
import { TestService } from '../../support/service/service.js';

const run = promisify(execFile);
const support = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NOBODY = { uid: 65_534, gid: 65_534 };
const NO_NATIVE_CODE = { addons: false, programs: false };
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

/** Whether other users can enter the folder (false, for example, in the home of root). */
function isOpen(folder: string): boolean {
  const parent = path.dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpen(parent));
}

const IS_OPEN = isOpen(path.dirname(support('')));

/**
 * Users that run the service in these tests. A test run by root also uses an ordinary user, if that user can read the
 * program. Any other test run uses only its own user.
 */
const users: [string, object][] = IS_ROOT
  ? [['root', {}], ...(IS_OPEN ? [['an ordinary user', NOBODY] as [string, object]] : [])]
  : [['an ordinary user', {}]];

describe.each(users)('A reading process with hostile code, in a service run by %s', (_, user) => {
  let folder: string;
  let program: string;
  let databasePort: number;
  beforeAll(async () => {
    const { database } = await TestService.shared();
    databasePort = Number(new URL(database.serviceUrl).port);
    folder = await mkdtemp(path.join(tmpdir(), 'reading-test-'));
    // In the folder of the reading program, which the process may read.
    program = path.join(await realpath(path.dirname(PROGRAM)), `hostile-${path.basename(folder)}.mjs`);
    await copyFile(support('hostile-reader.mjs'), program);
  });
  afterAll(async () => {
    await rm(program, { force: true });
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a service with a heap of `heap` MiB, which reads a file that makes the reading process try `attacks`. */
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

  it.each([
    ['', []],
    [' if it may load native packages for previews', ['addons']],
  ])('can access only its file, and the network only if the platform allows it%s', async (_, how) => {
    const { barriers, facts, outcomes } = await attack(...how);
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

  it('is restricted by the barriers of the platform when it bypasses Node’s permission model', async () => {
    const { barriers, outcomes } = await attack('native');
    expect(outcomes.ownEnvironment).not.toContain('hunter2');
    const held = Object.fromEntries(
      Object.entries(outcomes).map(([name, outcome]) => [name, refused(outcome)]),
    );
    const apart = barriers.ownUser || barriers.ownNamespace;
    // If its user cannot read the program, the process changes its user after loading, and then cannot read /proc/self.
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

  const invalidMessage = 'A reading process sent an invalid message';
  const tooManyBytes = 'A reading process sent more than 4048576 bytes';
  it.each([
    ['one endless message', invalidMessage],
    ['a message of a million objects', invalidMessage],
    ['an error that cannot become a string', invalidMessage],
    ['messages without end', tooManyBytes],
    ['text without end', 'A reading process sent more text than the limit'],
    ['single bytes', `(?:${invalidMessage}|${tooManyBytes})`],
    ['standard error', tooManyBytes],
  ])(
    'is killed for sending %s, and does not exhaust the small heap of the service',
    async (flood, reason) => {
      const outcome = await read<{ reason: string; left: object }>({ flood }, 48);
      expect(outcome).toEqual({
        reason: expect.stringMatching(`^${reason}(?:: x{4096})?$`),
        left: { busy: [], idle: [] },
      });
    },
  );
});

describe('A reading process that changes its user', () => {
  let extraction: TestExtraction | undefined;
  let previews: TestPreviews | undefined;
  let hook: string | undefined;
  afterEach(async () => {
    await extraction?.stop();
    previews?.stop();
    if (hook) await rm(hook, { force: true });
  });

  const limits = { timeMs: 240_000, memory: 2 ** 29, decompressed: 2 ** 28, text: 500_000 };
  const line = (user: typeof NOBODY | null, native: NativeCode = NO_NATIVE_CODE) =>
    commandLine(limits, native, { ...NO_ISOLATION, user, switchUserAt: 'loaded' });

  async function withoutLateModules(native: NativeCode): Promise<CommandLine> {
    const { command, args } = line(NOBODY, native);
    // In the folder of the reading program, which the process may read.
    hook = path.join(await realpath(path.dirname(PROGRAM)), `without-late-modules-${process.pid}.mjs`);
    await copyFile(support('without-late-modules.mjs'), hook);
    const changed = args.flatMap((argument) =>
      argument === PROGRAM ? [`--import=${hook}`, argument] : [argument],
    );
    return { command, args: changed };
  }

  it('reads files afterwards (only if run by root)', async () => {
    extraction = await TestExtraction.start({ commandLine: line(IS_ROOT ? NOBODY : null) });
    expect(await extraction.extract(buildPdf([['Seite eins']]))).toMatchObject({
      text: 'Seite eins',
      failure: null,
    });
  });

  it('needs no further modules for any format, because the user may not be able to read these', async () => {
    extraction = await TestExtraction.start({ commandLine: await withoutLateModules(NO_NATIVE_CODE) });
    const rtf = (body: string) => `{\\rtf1\\ansi${body}}`;
    const samples: [string, Buffer | string, string][] = [
      ['pdf', buildPdf([['Seite eins']]), 'Seite eins'],
      ['docx', buildDocx({ body: paragraph('Absatz') }), 'Absatz'],
      [
        'xlsx',
        buildXlsx({ shared: [], sheets: { Blatt: '<row><c t="str"><v>Zelle</v></c></row>' } }),
        'Zelle',
      ],
      ['pptx', buildPptx(['Folie']), 'Folie'],
      ['odt', buildOpenDocument({ kind: 'text', body: '<text:p>Absatz</text:p>' }), 'Absatz'],
      ['rtf', rtf("\\ansicpg1252 Gr\\'fc\\'dfe"), 'Grüße'],
      ['rtf in Japanese', rtf("\\ansicpg932 \\'93\\'fa\\'96\\'7b"), '日本'],
      ['rtf in Chinese', rtf("\\ansicpg936 \\'d6\\'d0"), '中'],
      ['msg', buildOutlookMessage({ subject: 'Einladung', html: '<p>Grüße</p>' }), 'Grüße'],
      [
        'eml',
        buildMessage({ subject: 'Einladung', parts: [{ type: 'text/plain', content: 'Text' }] }),
        'Einladung',
      ],
      ['zip', buildZip([{ name: 'brief.txt', content: Buffer.from('Grüße') }]), 'Grüße'],
      ['html', '<!DOCTYPE html><html><body><p>Absatz</p></body></html>', 'Absatz'],
      ['xml', '<?xml version="1.0"?><a>Absatz</a>', 'Absatz'],
      ['code page 850', Buffer.from('Stra\xe1e f\x81r M\x84nner', 'latin1'), 'für'],
    ];
    const failed = [];
    for (const [name, bytes, word] of samples) {
      const { text, failure } = await extraction.extract(bytes);
      if (text?.includes(word) !== true) failed.push([name, failure, text]);
    }
    expect(failed).toEqual([]);
  });

  it('needs no further modules for any preview', async () => {
    const native = { ...NO_NATIVE_CODE, addons: true };
    previews = new TestPreviews({ commandLine: await withoutLateModules(native) });
    const samples = {
      pdf: buildPdf([['Seite eins']]),
      png: buildPicture('png', 20, 10),
      jpeg: buildPicture('jpeg', 20, 10),
      avif: buildPicture('avif', 20, 10),
      heic: HEIC_FILE,
      tiff: buildTiffPictures([{ width: 16, height: 16, bits: group4Bits(16), group4: true }]),
    };
    const rendered: string[] = [];
    for (const [name, bytes] of Object.entries(samples))
      if ((await previews.render(bytes)).image) rendered.push(name);
    expect(rendered).toEqual(Object.keys(samples));
  });
});
