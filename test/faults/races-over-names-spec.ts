import { beforeAll, describe, expect } from '@jest/globals';
import { type Test } from 'supertest';
import { type ProblemCode } from '../../src/common/messages/problems.js';
import { buildField } from '../factories/document-types.js';
import { saveTag } from '../factories/documents.js';
import { saveFileType } from '../factories/files.js';
import { saveView } from '../factories/saved-views.js';
import { type Actor } from '../support/actor.js';
import { type TestTenant } from '../support/tenant.js';
import {
  RaceFixture,
  expectOneSuccess,
  expectSuccessOr,
  idOf,
  isSuccess,
  times,
} from './support/race-fixture.js';

/** Spellings that are equal after case folding. */
const SPELLINGS = ['straße', 'STRASSE', 'Strasse', 'Straße'];

/** Spellings of one e-mail address, without the number after the local part. Addresses are not case-folded. */
const ADDRESSES = [
  'straße@großbank.example',
  'STRAßE@GROßBANK.example',
  'Straße@GROẞBANK.EXAMPLE',
  'straße@xn--grobank-2va.example',
];

interface Contest {
  readonly what: string;
  readonly table: string;
  readonly column?: string;
  readonly action: string;
  readonly code: ProblemCode;
  /** SPELLINGS by default. */
  readonly spellings?: readonly string[];
  /** Sends a request that takes the name; `number` differs in each round. */
  readonly claim: (actor: Actor, spelling: string, number: number) => Test;
}

describe('Concurrent requests for one name', () => {
  const fixture = new RaceFixture(4);
  let tenant: TestTenant;
  /** The first one owns the saved views. */
  let people: Actor[];
  let fileTypeId: string;
  let roleId: string;
  beforeAll(async () => {
    ({ tenant, people } = fixture);
    fileTypeId = (await saveFileType(tenant)).id;
    roleId = await tenant.roleId('viewer');
  });

  const contests: Contest[] = [
    {
      what: 'a file number',
      table: 'files',
      action: 'FileCreated',
      code: 'file.number-taken',
      claim: (actor, spelling, n) =>
        actor.post('/files', { fileTypeId, number: `${spelling} ${n}`, name: 'Akte' }),
    },
    {
      what: 'the name of a tag',
      table: 'tags',
      action: 'TagCreated',
      code: 'tag.name-taken',
      claim: (actor, spelling, n) => actor.post('/tags', { name: `${spelling} ${n}` }),
    },
    {
      what: 'the name of a role',
      table: 'roles',
      action: 'RoleCreated',
      code: 'role.name-taken',
      claim: (actor, spelling, n) =>
        actor.post('/roles', { name: `${spelling} ${n}`, permissions: ['files.read'] }),
    },
    {
      what: 'the key of a file type',
      table: 'file_types',
      action: 'FileTypeCreated',
      code: 'file-type.key-taken',
      claim: (actor, spelling, n) =>
        actor.post('/file-types', { key: `key${n}`, nameDe: spelling, nameEn: spelling }),
    },
    {
      what: 'the key of a document type',
      table: 'document_types',
      action: 'DocumentTypeCreated',
      code: 'document-type.key-taken',
      claim: (actor, spelling, n) =>
        actor.post('/document-types', {
          key: `key${n}`,
          nameDe: spelling,
          nameEn: spelling,
          fields: [buildField('note')],
        }),
    },
    {
      what: 'an invitation for an e-mail address',
      table: 'invitations',
      action: 'InvitationCreated',
      code: 'invitation.exists',
      spellings: ADDRESSES,
      claim: (actor, address, n) =>
        actor.post('/invitations', { email: address.replace('@', `-${n}@`), roleId }),
    },
    {
      what: 'a membership',
      table: 'members',
      column: 'user_id',
      action: 'MemberAdded',
      code: 'member.exists',
      claim: (actor, _, n) =>
        actor.post('/members', { issuer: fixture.service.issuer.url, subject: `machine-${n}`, roleId }),
    },
  ];
  for (const { what, table, column, action, code, spellings = SPELLINGS, claim } of contests) {
    fixture.race(
      `${what}: exactly one succeeds`,
      async ({ number, random, writers, anyone, concurrently }) => {
        const before = await fixture.ids(table, column);
        const answers = await concurrently(
          times(writers, () => claim(anyone(), random.pick(spellings), number)),
        );
        const id = idOf(expectOneSuccess(answers, code));
        const after = await fixture.ids(table, column);
        expect([...after].filter((one) => !before.has(one))).toEqual([id]);
        expect(await fixture.takeAuditLines()).toEqual([`${action} ${id}`]);
        return 'one got it';
      },
    );
  }

  fixture.race(
    'the name of a saved view: exactly one succeeds',
    async ({ number, random, writers, onAnyInstance, concurrently }) => {
      const [owner, other] = [people[0]!, people[1]!];
      const [spare, theirs] = [await saveView(tenant, owner), await saveView(tenant, other)];
      const name = () => `${random.pick(SPELLINGS)} ${number}`;
      const answers = await concurrently([
        // Renaming also takes the name; views of other users do not conflict.
        ...times(writers - 1, () => onAnyInstance(owner).post('/saved-views', { name: name() })),
        onAnyInstance(owner).put(`/saved-views/${spare.id}`, { name: name(), filter: null }),
        onAnyInstance(other).put(`/saved-views/${theirs.id}`, { name: name(), filter: null }),
      ]);
      const theirsAnswer = answers.pop();
      expect(theirsAnswer?.status).toBe(200);
      const winner = expectOneSuccess(answers, 'saved-view.name-taken');
      expect(await fixture.takeAuditLines()).toEqual(
        [
          `SavedViewUpdated ${theirs.id}`,
          winner.status === 201 ? `SavedViewCreated ${idOf(winner)}` : `SavedViewUpdated ${spare.id}`,
        ].sort(),
      );
      await fixture.service.query('DELETE FROM saved_views WHERE tenant_id = $1', [tenant.id]);
      return winner.status === 201 ? 'created' : 'renamed';
    },
  );

  fixture.race(
    'the last of 500 saved views: never more than 500',
    async ({ number, writers, onAnyInstance, concurrently }) => {
      const owner = people[2]!;
      const room = number % 3;
      await fixture.service.query(
        `INSERT INTO saved_views (tenant_id, id, owner_id, name, name_key, filter)
         SELECT $1, gen_random_uuid(), $2, 'V' || n, 'v' || n, $4 FROM generate_series(1, 500 - $3::int) n`,
        [
          tenant.id,
          owner.userId,
          room,
          JSON.stringify({ documentTypeId: null, fileId: null, tagIds: [], metadataConditions: [] }),
        ],
      );
      const answers = await concurrently(
        times(writers, (n) => onAnyInstance(owner).post('/saved-views', { name: `Neu ${n}` })),
      );
      expectSuccessOr(answers, 'saved-view.too-many');
      const made = answers.filter(isSuccess);
      expect(made).toHaveLength(Math.min(room, writers));
      expect(await fixture.takeAuditLines()).toEqual(
        made.map((answer) => `SavedViewCreated ${idOf(answer)}`).sort(),
      );
      await fixture.service.query('DELETE FROM saved_views WHERE tenant_id = $1', [tenant.id]);
      return `${room} made`;
    },
  );

  fixture.race(
    'the name of a tag, created or renamed: exactly one succeeds',
    async ({ number, random, writers, anyone, concurrently }) => {
      const tags: { id: string }[] = [];
      for (let n = 0; n < writers; n += 1) tags.push(await saveTag(tenant, `Wort ${number}-${n}`));
      const answers = await concurrently(
        tags.map(({ id }, n) => {
          const name = `${random.pick(SPELLINGS)} umbenannt ${number}`;
          const actor = anyone();
          return n % 3 === 2 ? actor.post('/tags', { name }) : actor.put(`/tags/${id}`, { name });
        }),
      );
      const winner = expectOneSuccess(answers, 'tag.name-taken');
      const action = winner.status === 201 ? 'TagCreated' : 'TagRenamed';
      expect(await fixture.takeAuditLines()).toEqual([`${action} ${idOf(winner)}`]);
      return winner.status === 201 ? 'created' : 'renamed';
    },
  );
});
