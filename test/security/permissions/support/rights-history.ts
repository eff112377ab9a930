import fc from 'fast-check';
import { type Permission } from '../../../../src/common/vocabulary/permissions.js';

/**
 * Histories of one small tenant: who is what at the beginning, then what users do, and what they ask after each step.
 * People and resources are called by numbers in the order in which they came; those that are gone keep theirs, and can be
 * named. Numbers are drawn without knowing how many there will be, and brought down to that later ({@link withExistingNumbers}).
 */
export const USER_COUNT = 5;
const FILE_TYPES = 2;
/** In front of the custom roles; the first belongs to the first user, who begins as the only administrator. */
export const BUILT_IN_ROLES = ['administrator', 'editor', 'guest'] as const;
const CUSTOM_ROLES = 3;

/** What a role can hold here: all that decides about files, documents, secrets, and rights themselves. */
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
  'accessGrants.manage',
  'members.manage',
  'roles.manage',
  'auditLog.read',
];

/** What is done, by the operation's name; and what time does. */
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
  /** The end of a grant comes, if it has one. */
  | { readonly kind: 'TimePasses'; readonly grant: number }
  /** What has ended is marked, which performOrThrow make no difference. */
  | { readonly kind: 'Sweep' };

export interface GrantRequest {
  readonly to: 'User' | 'Role';
  readonly user: number;
  readonly role: number;
  readonly on: 'File' | 'FileType';
  readonly file: number;
  readonly type: number;
  readonly level: 'Read' | 'Write';
  /** Whether it has an end, which is far away until {@link Action} `TimePasses`. */
  readonly ends: boolean;
}

export const FILE_QUERIES = ['GetFile', 'ListFileDocuments', 'RenameFile', 'FindInFile'] as const;
export const DOCUMENT_QUERIES = [
  'GetDocument',
  'GetDocumentContent',
  'UpdateDocument',
  'FindTitle',
  'ListConfidentialUsers',
  'ListAuditEntries',
] as const;

/** What somebody asks, by the operation's name; the two writes ask for what is so already, so they change nothing. */
export type Query =
  | { readonly kind: 'GetTenantMe' | 'ListFiles' | 'ListConfidentialDocuments' | 'ListNotifications' }
  | { readonly kind: (typeof FILE_QUERIES)[number]; readonly file: number }
  | { readonly kind: 'ListDocuments'; readonly status: 'Deleted' | 'Archived' | null }
  | { readonly kind: 'SearchDocuments'; readonly order: 'newest' | 'relevance' }
  | { readonly kind: (typeof DOCUMENT_QUERIES)[number]; readonly document: number };

export type ByUser<T> = T & { readonly by: number };

export interface Step {
  readonly action: ByUser<Action>;
  /**
   * Most of what is drawn would be refused, for the same few reasons. So it may be done by somebody else, with other
   * resources, such that it is possible, or such that its outcome is the nth of those that there are.
   */
  readonly choice: 'as drawn' | 'possible' | number;
  /** Besides those that are asked after every step. */
  readonly queries: readonly ByUser<Query>[];
}

export interface History {
  /** Of the custom roles. */
  readonly roles: readonly (readonly Permission[])[];
  /** The role of everybody but the first; null for who is no member, which only the last may be. */
  readonly memberships: readonly (number | null)[];
  /** Those that are null are left out: so a history becomes shorter once it has found something. */
  readonly steps: readonly (Step | null)[];
}

/** How many there are, by the name of the member that names one. */
export type ResourceCounts = Readonly<Record<'file' | 'document' | 'role' | 'grant', number>>;

/** For each user. */
const VARIANTS = 10;
const FIXED = { by: USER_COUNT, user: USER_COUNT, type: FILE_TYPES };

/** The same about what is there; null when there is none to be named. */
export function withExistingNumbers<T extends object>(asked: T, counts: ResourceCounts): T | null {
  const all: Readonly<Record<string, number>> = { ...FIXED, ...counts };
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(asked) as [string, unknown][]) {
    const count = all[name];
    if (count === 0) return null;
    if (count !== undefined) members.push([name, (value as number) % count]);
    else if (name === 'files') members.push([name, distinct(value as number[], counts.file)]);
    else members.push([name, value]);
  }
  return Object.fromEntries(members) as T;
}

/** The action by others, and with other resources. */
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
const of = <const K extends string>(...kinds: K[]) => fc.constantFrom(...kinds);

const aboutFiles = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: of('CreateFile'), type: number }) },
  { weight: 6, arbitrary: fc.record({ kind: of('RenameFile', 'CloseFile', 'ReopenFile'), file: number }) },
  { weight: 2, arbitrary: fc.record({ kind: of('DeleteFile'), file: number }) },
);

const aboutDocuments = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: of('UpdateDocument'), document: number }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('CreateDocument'),
      files: fc.array(number, { maxLength: 2 }),
      confidential: fc.boolean(),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: of('ArchiveDocument', 'UnarchiveDocument', 'DeleteDocument', 'RestoreDocument'),
      document: number,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: of('FileDocument', 'UnfileDocument'), document: number, file: number }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('ChangeConfidentiality'),
      document: number,
      confidential: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: of('AddConfidentialUser', 'RemoveConfidentialUser'),
      document: number,
      user: number,
    }),
  },
);

const aboutRights = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: of('CreateAccessGrant'),
      to: of('User', 'Role'),
      user: number,
      role: number,
      on: of('File', 'FileType'),
      file: number,
      type: number,
      level: of('Read', 'Write'),
      ends: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of('RevokeAccess'), grant: number }) },
  { weight: 1, arbitrary: fc.record({ kind: of('CreateRole'), permissions }) },
  { weight: 4, arbitrary: fc.record({ kind: of('UpdateRole'), role: number, permissions }) },
  { weight: 2, arbitrary: fc.record({ kind: of('DeleteRole'), role: number }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: of('AddMember', 'ChangeMemberRole'), user: number, role: number }),
  },
  { weight: 2, arbitrary: fc.record({ kind: of('RemoveMember'), user: number }) },
);

const ofTime = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: of('TimePasses'), grant: number }) },
  { weight: 1, arbitrary: fc.record({ kind: of('Sweep') }) },
);

/** What is done with rights mostly fails unless an administrator does it, who is the first user in most histories. */
const mostlyFirst = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: number });

const doing = <T extends Action>(action: fc.Arbitrary<T>, by: fc.Arbitrary<number>) =>
  fc.tuple(action, by).map(([done, who]): ByUser<Action> => ({ ...done, by: who }));

const actions: fc.Arbitrary<ByUser<Action>> = fc.oneof(
  { weight: 2, arbitrary: doing(aboutFiles, number) },
  { weight: 7, arbitrary: doing(aboutDocuments, number) },
  { weight: 6, arbitrary: doing(aboutRights, mostlyFirst) },
  { weight: 2, arbitrary: doing(ofTime, fc.constant(0)) },
);

const queries: fc.Arbitrary<ByUser<Query>> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      by: number,
      kind: of('GetTenantMe', 'ListConfidentialDocuments', 'ListNotifications'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      by: number,
      kind: of(...FILE_QUERIES),
      file: number,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      by: number,
      kind: of(...DOCUMENT_QUERIES),
      document: number,
    }),
  },
);

const CUSTOM = BUILT_IN_ROLES.length;
const anyRole = fc.integer({ min: 1, max: CUSTOM + CUSTOM_ROLES - 1 });

const anyRoleOrNone: fc.Arbitrary<number | null> = fc.option(anyRole);

/** @param steps how many, but for few that are left out */
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
