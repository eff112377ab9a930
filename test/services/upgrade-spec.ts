import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEMO_USERS } from '../../src/platform/identity/embedded/demo-users.js';
import { type BuiltInRoleKey } from '../../src/common/vocabulary/built-in-roles.js';
import { findingsOf, parseKeys } from '../resources/audit-log/evidence/evidence-fixture.js';
import { demoToken } from '../support/demo-token.js';
import { LONG_DATABASE_TIMEOUTS, waitUntil } from '../support/wait-until.js';
import { ServiceProcess } from '../support/service/service-process.js';
import { PostgresServer } from './postgres-server.js';
import { ReleaseData } from './upgrade/release-data.js';
import { type Snapshot, differences, takeSnapshot } from './upgrade/snapshot.js';

interface Member {
  readonly userId: string;
  readonly subject: string;
  readonly issuer: string;
}

interface Entry {
  readonly id: string;
  readonly action: string;
}

const LONG_RETENTION = { BIN_RETENTION_DAYS: '36500', NOTIFICATION_RETENTION_DAYS: '36500' };

const releases = await ReleaseData.find();

it('finds the data of at least one release', () => expect(releases.length).toBeGreaterThan(0));

describe.each(releases.map((data) => [data.label, data] as const))(
  'An upgrade of the data of release %s',
  (_label, data) => {
    let server: PostgresServer;
    let directory: string;
    let service: ServiceProcess;
    let url: string;

    const start = async () => {
      service = new ServiceProcess({
        PORT: '0',
        DATABASE_URL: server.url,
        DATA_DIR: directory,
        RATE_LIMIT_PER_MINUTE: '1000000',
        RATE_LIMIT_BURST: '1000000',
        ...LONG_DATABASE_TIMEOUTS,
        ...LONG_RETENTION,
      });
      url = await service.url();
    };

    const stop = async () => {
      service.signal('SIGTERM');
      expect({ code: await service.exit, errors: service.errors }).toEqual({ code: 0, errors: '' });
    };

    const tokenOf = (role: BuiltInRoleKey) => demoToken(url, directory, role);

    /** User ids of the demo users by subject. Expects that all of them have access. */
    const usersOf = async (): Promise<Record<string, string>> => {
      const users: Record<string, string> = {};
      for (const { roleKey, subject } of DEMO_USERS) {
        const authorization = `Bearer ${await tokenOf(roleKey)}`;
        const response = await fetch(`${url}/api/v1/t/demo/me`, { headers: { authorization } });
        expect({ subject, status: response.status }).toEqual({
          subject,
          status: 200,
        });
        users[subject] = ((await response.json()) as { user: { id: string } }).user.id;
      }
      return users;
    };

    beforeAll(async () => {
      server = await PostgresServer.start();
      directory = await mkdtemp(path.join(tmpdir(), 'filing-upgrade-'));
      await data.restore(server, directory);
    });

    afterAll(async () => {
      service.signal('SIGKILL');
      await service.exit;
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    });

    it('keeps all answers of the API, on another port', async () => {
      const before = await data.snapshot();
      await start();
      const after = await takeSnapshot(`${url}/api/v1/t/demo`, await tokenOf('administrator'));

      const members = (before.members as unknown as Member[]).map((member) =>
        isOfDemo(member) ? { ...member, issuer: `${url}/oidc` } : member,
      );
      expect(differences({ ...before, members }, after)).toEqual([]);
      expect(entriesSince(before, after)).toEqual([]);
      const contents = Object.values(after.contents as Record<string, { sha256: string; expected: string }>);
      expect(contents.filter(({ sha256, expected }) => sha256 !== expected)).toEqual([]);
      expect(contents.length).toBeGreaterThan(0);
    });

    it('adds all audit entries to the tree of the audit log', async () => {
      const authorization = `Bearer ${await tokenOf('administrator')}`;
      const text = async (path: string) =>
        (await fetch(`${url}/api/v1/t/demo/audit-log${path}`, { headers: { authorization } })).text();
      const { 'audit-log': entries } = await data.snapshot();
      const old = new Set((entries as unknown as Entry[]).map(({ id }) => id));
      let lines: string[] = [];
      await waitUntil(async () => {
        lines = (await text('/export')).split('\n').slice(0, -1);
        const ids = lines.map((line) => (JSON.parse(line) as { leaf?: string }).leaf ?? '{}');
        const exported = new Set(ids.map((leaf) => (JSON.parse(leaf) as Partial<Entry>).id));
        return [...old].every((id) => exported.has(id));
      }, 'the leaves of all entries of the release');
      const keys = parseKeys(await text('/keys'));
      expect(findingsOf(lines, { keys, earlier: [], continues: [] })).toEqual([]);
    });

    it('gives all demo users access, also after a restart', async () => {
      const { members } = await data.snapshot();
      const people = (members as unknown as Member[]).filter(isOfDemo);
      const users = Object.fromEntries(people.map(({ subject, userId }) => [subject, userId]));
      expect(await usersOf()).toEqual(users);
      await stop();
      await start();
      expect(await usersOf()).toEqual(users);
      await stop();
    });
  },
);

function isOfDemo({ subject }: Member): boolean {
  return DEMO_USERS.some((user) => user.subject === subject);
}

/** Actions of new audit entries, without the downloads of the snapshots. */
function entriesSince(before: Snapshot, after: Snapshot): string[] {
  const known = new Set((before['audit-log'] as unknown as Entry[]).map(({ id }) => id));
  return (after['audit-log'] as unknown as Entry[])
    .filter(({ id, action }) => !known.has(id) && action !== 'DocumentDownloaded')
    .map(({ action }) => action);
}
