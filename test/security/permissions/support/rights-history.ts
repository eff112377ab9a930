import fc from 'fast-check';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';

/**
 * Random histories of one small tenant: the initial roles of its users, then steps. A step is an action of a user,
 * followed by queries of users.
 *
 * Users and resources have numbers in the order of their creation. Deleted ones keep their number and can still be
 * addressed. Numbers are drawn at random without a limit; {@link withExistingNumbers} later maps them to existing ones.
 */
export const USER_COUNT = 5;
const FILE_TYPES = 2;
/** Their numbers precede those of the custom roles. User 0 starts as the only administrator. */
export const BUILT_IN_ROLES = ['administrator', 'editor', 'guest'] as const;
const CUSTOM_ROLES = 3;

/** The permissions of custom roles: those for files, documents, confidentiality and the management of rights. */
const PERMISSIONS: readonly Permission[] = [
  'files.read',
  'files.create',
  'files.update',
  'files.close',
  'files.reopen',
  'files.delete',
  'documents.read',
  'documents.create',
  'documents.update',
  'documents.file',
  'documents.archive',
  'documents.delete',
  'documents.restore',
  'documents.confidential.manage',
  'accessGrants.read',
  'accessGrants.manage',
  'members.read',
  'members.manage',
  'roles.manage',
  'auditLog.read',
];

/** An operation by its name, or an event in time. */
export type Action =
  | { readonly kind: 'CreateFile'; readonly type: number }
  | { readonly kind: 'RenameFile' | 'CloseFile' | 'ReopenFile' | 'DeleteFile'; readonly file: number }
  | { readonly kind: 'CreateDocument'; readonly files: readonly number[]; readonly confidential: boolean }
  | {
      readonly kind:
        'UpdateDocument' | 'ArchiveDocument' | 'UnarchiveDocument' | 'DeleteDocument' | 'RestoreDocument';
      readonly document: number;
    }
  | { readonly kind: 'FileDocument' | 'UnfileDocument'; readonly document: number; readonly file: number }
  | { readonly kind: 'ChangeConfidentiality'; readonly document: number; readonly confidential: boolean }
  | {
      readonly kind: 'AddConfidentialUser' | 'RemoveConfidentialUser';
      readonly document: number;
      readonly user: number;
    }
  | ({ readonly kind: 'CreateAccessGrant' } & GrantRequest)
  | { readonly kind: 'RevokeAccess'; readonly grant: number }
  | { readonly kind: 'CreateRole'; readonly permissions: readonly Permission[] }
  | { readonly kind: 'UpdateRole'; readonly role: number; readonly permissions: readonly Permission[] }
  | { readonly kind: 'DeleteRole'; readonly role: number }
  | { readonly kind: 'AddMember' | 'ChangeMemberRole'; readonly user: number; readonly role: number }
  | { readonly kind: 'RemoveMember'; readonly user: number }
  /** The grant expires, if it has an expiry. */
  | { readonly kind: 'TimePasses'; readonly grant: number }
  /** The service marks expired grants. This must not change any result. */
  | { readonly kind: 'Sweep' };

export interface GrantRequest {
  readonly to: 'User' | 'Role';
  readonly user: number;
  readonly role: number;
  readonly on: 'File' | 'FileType';
  readonly file: number;
  readonly type: number;
  readonly level: 'Read' | 'Write';
  /** An expiry is in the future until the action `TimePasses`. */
  readonly hasExpiry: boolean;
}

export const FILE_QUERIES = ['GetFile', 'ListFileDocuments', 'RenameFile', 'FindInFile'] as const;
export const DOCUMENT_QUERIES = [
  'GetDocument',
  'GetDocumentContent',
  'GetDocumentText',
  'GetDocumentPreview',
  'UpdateDocument',
  'FindTitle',
  'ListConfidentialUsers',
  'ListAuditEntries',
] as const;

/** A query by the name of its operation. RenameFile and UpdateDocument send the current values, so they change nothing. */
export type Query =
  | { readonly kind: 'GetTenantMe' | 'ListFiles' | 'ListConfidentialDocuments' | 'ListNotifications' }
  | { readonly kind: (typeof FILE_QUERIES)[number]; readonly file: number }
  | { readonly kind: 'ListDocuments'; readonly status: 'Deleted' | 'Archived' | null }
  | { readonly kind: 'SearchDocuments'; readonly order: 'newest' | 'relevance' }
  | { readonly kind: (typeof DOCUMENT_QUERIES)[number]; readonly document: number }
  | AccessQuery;

/** Who can see a file or a document. Not drawn, but sent after steps: see rights-queries.ts. */
export type AccessQuery =
  | { readonly kind: 'ListFileAccess'; readonly file: number }
  | { readonly kind: 'ListDocumentAccess'; readonly document: number }
  | { readonly kind: 'GetMemberAccess'; readonly user: number; readonly file: number }
  | { readonly kind: 'GetMemberAccess'; readonly user: number; readonly document: number };

/** With the number of the user who sends it. */
export type ByUser<T> = T & { readonly by: number };

export interface RandomStep {
  readonly action: ByUser<Action>;
  /**
   * Most random actions would be refused for the same few reasons. So another user and other resources can replace the
   * drawn ones: `possible` makes the action succeed, and a number selects one of its possible outcomes.
   */
  readonly choice: 'as drawn' | 'possible' | number;
  /** Queries in addition to those after every step. */
  readonly queries: readonly ByUser<Query>[];
}

export interface History {
  /** The permissions of the custom roles. */
  readonly roles: readonly (readonly Permission[])[];
  /** The roles of all users but the first. Only the last one can be null, for a user who is not a member. */
  readonly memberships: readonly (number | null)[];
  /** Null steps are skipped, which allows fast-check to shrink a failing history. */
  readonly steps: readonly (RandomStep | null)[];
}

/** The number of resources of each kind, by the name of the member that refers to one. */
export type ResourceCounts = Readonly<Record<'file' | 'document' | 'role' | 'grant', number>>;

/** The number of variants of an action for each user. */
const VARIANTS = 10;
const FIXED = { by: USER_COUNT, user: USER_COUNT, type: FILE_TYPES };

/** The action or query with all numbers mapped to existing users and resources; null when the kind has none. */
export function withExistingNumbers<T extends object>(drawn: T, counts: ResourceCounts): T | null {
  const all: Readonly<Record<string, number>> = { ...FIXED, ...counts };
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(drawn) as [string, unknown][]) {
    const count = all[name];
    if (count === 0) return null;
    if (count !== undefined) members.push([name, (value as number) % count]);
    else if (name === 'files') members.push([name, distinct(value as number[], counts.file)]);
    else members.push([name, value]);
  }
  return Object.fromEntries(members) as T;
}

/** The action by other users and with other resources. */
export function* variants<T extends ByUser<Action>>(action: T): Generator<T> {
  for (let n = 0; n < USER_COUNT * VARIANTS; n += 1) {
    const shifted = (name: string, value: unknown) =>
      typeof value === 'number' ? value + (name === 'by' ? n : Math.floor(n / USER_COUNT)) : value;
    const members = Object.entries(action).map(([name, value]) => [name, shifted(name, value)] as const);
    yield Object.fromEntries(members) as T;
  }
}

function distinct(numbers: readonly number[], count: number): number[] {
  return [...new Set(numbers.map((number) => number % count))];
}

const number = fc.nat({ max: 5039 });
const permissions = fc.subarray([...PERMISSIONS]);
const oneOf = <const K extends string>(...kinds: K[]) => fc.constantFrom(...kinds);

const fileActions = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: oneOf('CreateFile'), type: number }) },
  { weight: 6, arbitrary: fc.record({ kind: oneOf('RenameFile', 'CloseFile', 'ReopenFile'), file: number }) },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('DeleteFile'), file: number }) },
);

const documentActions = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: oneOf('UpdateDocument'), document: number }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: oneOf('CreateDocument'),
      files: fc.array(number, { maxLength: 2 }),
      confidential: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: oneOf('ArchiveDocument', 'UnarchiveDocument', 'DeleteDocument', 'RestoreDocument'),
      document: number,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: oneOf('FileDocument', 'UnfileDocument'), document: number, file: number }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: oneOf('ChangeConfidentiality'),
      document: number,
      confidential: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: oneOf('AddConfidentialUser', 'RemoveConfidentialUser'),
      document: number,
      user: number,
    }),
  },
);

const rightsActions = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: oneOf('CreateAccessGrant'),
      to: oneOf('User', 'Role'),
      user: number,
      role: number,
      on: oneOf('File', 'FileType'),
      file: number,
      type: number,
      level: oneOf('Read', 'Write'),
      hasExpiry: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('RevokeAccess'), grant: number }) },
  { weight: 1, arbitrary: fc.record({ kind: oneOf('CreateRole'), permissions }) },
  { weight: 4, arbitrary: fc.record({ kind: oneOf('UpdateRole'), role: number, permissions }) },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('DeleteRole'), role: number }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: oneOf('AddMember', 'ChangeMemberRole'), user: number, role: number }),
  },
  { weight: 2, arbitrary: fc.record({ kind: oneOf('RemoveMember'), user: number }) },
);

const timeActions = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: oneOf('TimePasses'), grant: number }) },
  { weight: 1, arbitrary: fc.record({ kind: oneOf('Sweep') }) },
);

/** Actions on rights mostly need an administrator, who is user 0 in most histories. */
const mostlyFirst = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: number });

const actionBy = <T extends Action>(action: fc.Arbitrary<T>, by: fc.Arbitrary<number>) =>
  fc.tuple(action, by).map(([done, who]): ByUser<Action> => ({ ...done, by: who }));

const actions: fc.Arbitrary<ByUser<Action>> = fc.oneof(
  { weight: 2, arbitrary: actionBy(fileActions, number) },
  { weight: 7, arbitrary: actionBy(documentActions, number) },
  { weight: 6, arbitrary: actionBy(rightsActions, mostlyFirst) },
  { weight: 2, arbitrary: actionBy(timeActions, fc.constant(0)) },
);

const queries: fc.Arbitrary<ByUser<Query>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      by: number,
      kind: oneOf('GetTenantMe', 'ListConfidentialDocuments', 'ListNotifications'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      by: number,
      kind: oneOf(...FILE_QUERIES),
      file: number,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      by: number,
      kind: oneOf(...DOCUMENT_QUERIES),
      document: number,
    }),
  },
);

const CUSTOM = BUILT_IN_ROLES.length;
const anyRole = fc.integer({ min: 1, max: CUSTOM + CUSTOM_ROLES - 1 });

const anyRoleOrNone: fc.Arbitrary<number | null> = fc.option(anyRole);

/** @param steps the number of steps; a few of them are null */
export function histories(steps: number): fc.Arbitrary<History> {
  const round = fc.record({
    action: actions,
    choice: fc.oneof(
      { weight: 1, arbitrary: fc.constant('as drawn' as const) },
      { weight: 5, arbitrary: fc.constant('possible' as const) },
      { weight: 4, arbitrary: fc.nat({ max: 5 }) },
    ),
    queries: fc.array(queries, { minLength: 6, maxLength: 6 }),
  });
  return fc.record({
    roles: fc.array(permissions, { minLength: CUSTOM_ROLES, maxLength: CUSTOM_ROLES }),
    memberships: fc.tuple(anyRole, anyRole, anyRole, anyRoleOrNone),
    steps: fc.array(fc.option(round, { freq: 50 }), { minLength: steps, maxLength: steps }),
  });
}
