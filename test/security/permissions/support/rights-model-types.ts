import { type Permission } from '../../../../src/common/vocabulary/permissions.js';

/** The result of a query: the code of a problem, or the visible data, with resources as numbers. */
export type QueryResult = string | readonly unknown[] | Readonly<Record<string, unknown>>;

export interface ModelRole {
  permissions: ReadonlySet<Permission>;
  readonly isBuiltIn: boolean;
  isGone: boolean;
}

export interface ModelFile {
  readonly creator: number;
  readonly type: number;
  isClosed: boolean;
  isGone: boolean;
}

export interface ModelDocument {
  readonly creator: number;
  readonly hasContent: boolean;
  readonly files: Set<number>;
  status: 'Active' | 'Archived' | 'Deleted';
  /** The status before the document was moved to the bin. */
  before: 'Active' | 'Archived';
  /** The users on the access list; null when the document is not confidential. */
  list: Set<number> | null;
}

export interface ModelGrant {
  readonly subject: { readonly kind: 'User' | 'Role'; readonly number: number };
  readonly target: { readonly kind: 'File' | 'FileType'; readonly number: number };
  readonly level: 'Read' | 'Write';
  readonly hasExpiry: boolean;
  status: 'Active' | 'Expired' | 'Revoked';
}

export interface ModelNotification {
  readonly to: number;
  readonly type: string;
  readonly document?: number;
  readonly file?: number;
  readonly role?: number;
  /** Level and target of a grant, as text. */
  readonly target?: string;
  readonly grantTarget?: ModelGrant['target'];
}

export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** One error for each code, because creating a stack trace takes longer than everything else in the model. */
const refusals = new Map<string, Refusal>();

export function refuse(code: string): never {
  const refusal = refusals.get(code) ?? new Refusal(code);
  refusals.set(code, refusal);
  throw refusal;
}

/** The documents at the start. Their creators were editors when they created them. */
export const INITIAL_DOCUMENTS: readonly InitialDocument[] = [
  { creator: 0, files: [0], hasContent: true, isInBin: false, list: null },
  { creator: 1, files: [1, 2], hasContent: false, isInBin: false, list: null },
  { creator: 2, files: [], hasContent: true, isInBin: false, list: null },
  { creator: 3, files: [2], hasContent: true, isInBin: false, list: [3] },
  { creator: 0, files: [0], hasContent: true, isInBin: true, list: null },
  { creator: 1, files: [0], hasContent: false, isInBin: false, list: [2, 3] },
];

interface InitialDocument {
  readonly creator: number;
  readonly files: readonly number[];
  readonly hasContent: boolean;
  readonly isInBin: boolean;
  /** The users on the access list; null when the document is not confidential. */
  readonly list: readonly number[] | null;
}

export function resultOf(work: () => QueryResult): QueryResult {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

export function itemAt<T>(items: readonly T[], number: number): T {
  const item = items[number];
  if (item === undefined) throw new Error(`Number ${number} does not exist`);
  return item;
}

export function ascending(one: number, other: number): number {
  return one - other;
}
