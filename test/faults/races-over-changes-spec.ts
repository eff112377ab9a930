import { beforeAll, describe, expect } from '@jest/globals';
import { newId } from '../../src/common/identifier.js';
import { saveDocumentType } from '../factories/document-types.js';
import { saveDocument, saveTag } from '../factories/documents.js';
import { saveFile, saveFileType } from '../factories/files.js';
import { saveRole } from '../factories/roles.js';
import { saveView } from '../factories/saved-views.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  followNames,
  isSuccess,
  times,
  auditLines,
} from './support/race-fixture.js';

/** A resource with the name `erst`. */
interface Named {
  readonly path: string;
  readonly table: string;
  readonly column: string;
  /** Required members of the request body other than the name. */
  readonly body: object;
}

describe('Concurrent changes of one resource', () => {
  const fixture = new RaceFixture(4);
  let tenant: TestTenant;
  /** The first one owns the saved views. */
  let people: Actor[];
  let fileTypeId: string;
  beforeAll(async () => {
    ({ tenant, people } = fixture);
    fileTypeId = (await saveFileType(tenant)).id;
  });

  /** Resources that an administrator can rename at any time. */
  const named: [what: string, action: string, make: () => Promise<Named>][] = [
    [
      'file',
      'FileRenamed',
      async () => {
        const { id } = await saveFile(tenant, people[0]!, { fileTypeId, name: 'erst' });
        return { path: `/files/${id}`, table: 'files', column: 'name', body: {} };
      },
    ],
    [
      'tag',
      'TagRenamed',
      async () => {
        const { id } = await saveTag(tenant, 'erst');
        return { path: `/tags/${id}`, table: 'tags', column: 'name', body: {} };
      },
    ],
    [
      'role',
      'RoleUpdated',
      async () => {
        const { id } = await saveRole(tenant, ['files.read'], 'erst');
        return { path: `/roles/${id}`, table: 'roles', column: 'name', body: { permissions: null } };
      },
    ],
    [
      'file type',
      'FileTypeUpdated',
      async () => {
        const { id } = await saveFileType(tenant, { nameDe: 'erst', nameEn: 'erst' });
        return { path: `/file-types/${id}`, table: 'file_types', column: 'name_de', body: {} };
      },
    ],
    [
      'document type',
      'DocumentTypeUpdated',
      async () => {
        const { id } = await saveDocumentType(tenant, { nameDe: 'erst', nameEn: 'erst' });
        return { path: `/document-types/${id}`, table: 'document_types', column: 'name_de', body: {} };
      },
    ],
    [
      'saved view',
      'SavedViewUpdated',
      async () => {
        const { id } = await saveView(tenant, people[0]!, { name: 'erst' });
        return { path: `/saved-views/${id}`, table: 'saved_views', column: 'name', body: { filter: null } };
      },
    ],
    [
      'document',
      'DocumentUpdated',
      async () => {
        const { id } = await saveDocument(tenant, people[0]!, { title: 'erst' });
        return { path: `/documents/${id}`, table: 'documents', column: 'title', body: {} };
      },
    ],
  ];
  for (const [what, action, make] of named) {
    fixture.race(`apply all new names of a ${what}, one after the other`, async (round) => {
      const { number, random, writers, onAnyInstance, concurrently } = round;
      const { path, table, column, body } = await make();
      const id = path.split('/').pop()!;
      const given = times(writers, (n) => `${what.replace(' ', '')}-${number}-${n}`);
      const answers = await concurrently(
        given.map((name) => {
          const actor = onAnyInstance(what === 'saved view' ? people[0]! : random.pick(people));
          return actor.put(path, { ...body, name, nameDe: name, nameEn: name, title: name });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(given.map(() => 200));
      const entries = await fixture.takeAuditEntries();
      expect(auditLines(entries)).toEqual(given.map(() => `${action} ${id}`));
      const [stored] = await fixture.service.query<{ name: string }>(
        `SELECT ${column} AS name FROM ${table} WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id],
      );
      expect(followNames(entries, 'erst')).toBe(stored?.name);
      return 'all';
    });
  }

  /** Changes that another one undoes, and the states without and with the change. */
  const toggles = [
    {
      ...{ path: '/files', change: 'close', undo: 'reopen', states: ['Open', 'Closed'] },
      ...{ actions: ['FileClosed', 'FileReopened'], make: () => saveFile(tenant, people[0]!) },
      problems: ['file.already-closed', 'file.already-open'],
    },
    {
      ...{ path: '/documents', change: 'archive', undo: 'unarchive', states: ['Active', 'Archived'] },
      ...{
        actions: ['DocumentArchived', 'DocumentUnarchived'],
        make: () => saveDocument(tenant, people[0]!),
      },
      problems: ['document.archived', 'document.not-archived'],
    },
  ] as const;
  for (const { path, change, undo, states, actions, make, problems } of toggles) {
    fixture.race(
      `that ${change} and ${undo}: alternately`,
      async ({ random, writers, anyone, concurrently }) => {
        const { id } = await make();
        const sent = times(writers, (n) => (n === 0 || random.next() < 0.5 ? change : undo));
        const answers = await concurrently(sent.map((way) => anyone().post(`${path}/${id}/${way}`)));
        expectSuccessOr(answers, ...problems);
        const count = (way: string) => sent.filter((one, n) => one === way && isSuccess(answers[n]!)).length;
        const [changed, undone] = [count(change), count(undo)];
        expect(await fixture.takeAuditLines()).toEqual([
          ...times(changed, () => `${actions[0]} ${id}`),
          ...times(undone, () => `${actions[1]} ${id}`),
        ]);
        expect([0, 1]).toContain(changed - undone);
        const { status } = (await people[0]!.get(`${path}/${id}`)).body as { status: string };
        expect(status).toBe(states[changed > undone ? 1 : 0]);
        return `${changed} times`;
      },
    );
  }

  fixture.race(
    'with the same entity tag: exactly one succeeds',
    async ({ number, random, writers, onAnyInstance, concurrently }) => {
      const owner = people[0]!;
      const [, action, make] = named[number % named.length]!;
      const { path, body, column, table } = await make();
      const id = path.split('/').pop()!;
      const same = { ...body, name: 'erst', nameDe: 'erst', nameEn: 'erst', title: 'erst' };
      const { etag = '' } = (await owner.put(path, same)).headers;
      const answers = await concurrently(
        times(writers, (n) => {
          const name = `etag-${number}-${n}`;
          const actor = onAnyInstance(table === 'saved_views' ? owner : random.pick(people));
          return actor
            .put(path, { ...body, name, nameDe: name, nameEn: name, title: name })
            .set('If-Match', etag);
        }),
      );
      const winner = expectOneSuccess(answers, 'request.precondition-failed');
      const [stored] = await fixture.service.query<{ name: string }>(
        `SELECT ${column} AS name FROM ${table} WHERE tenant_id = $1 AND id = $2`,
        [tenant.id, id],
      );
      expect(Object.values(winner.body as object)).toContain(stored?.name);
      expect(await fixture.takeAuditLines()).toEqual([`${action} ${id}`]);
      return 'one changed it';
    },
  );

  fixture.race(
    'that delete it: exactly one succeeds',
    async ({ number, onAnyInstance, random, writers, concurrently }) => {
      const owner = people[0]!;
      const makers: [string, string, () => Promise<{ id: string }>][] = [
        ['/tags', 'TagDeleted', () => saveTag(tenant, `Weg ${newId()}`)],
        ['/roles', 'RoleDeleted', () => saveRole(tenant, ['files.read'], `Weg ${newId()}`)],
        ['/files', 'FileDeleted', () => saveFile(tenant, owner, { fileTypeId, number: `Weg ${newId()}` })],
        ['/saved-views', 'SavedViewDeleted', () => saveView(tenant, owner, { name: `Weg ${newId()}` })],
      ];
      const [path, action, make] = makers[number % makers.length]!;
      const { id } = await make();
      const answers = await concurrently(
        times(writers, () =>
          onAnyInstance(path === '/saved-views' ? owner : random.pick(people)).delete(`${path}/${id}`),
        ),
      );
      expectOneSuccess(answers, 'resource.not-found');
      expect(await fixture.takeAuditLines()).toEqual([`${action} ${id}`]);
      return 'one deleted it';
    },
  );
});
