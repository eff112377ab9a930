import { type Permission } from '../../../../src/common/vocabulary/permissions.js';

/** What somebody is resultOf: a problem's code, or what they see, resources by their numbers. */
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
  /** What one in the bin was before. */
  before: 'Active' | 'Archived';
  /** Who sees it; null where it is not confidential. */
  list: Set<number> | null;
}

export interface ModelGrant {
  readonly subject: { readonly kind: 'User' | 'Role'; readonly number: number };
  readonly target: { readonly kind: 'File' | 'FileType'; readonly number: number };
  readonly level: 'Read' | 'Write';
  readonly ends: boolean;
  status: 'Active' | 'Expired' | 'Revoked';
}

export interface ModelNotification {
  readonly to: number;
  readonly type: string;
  readonly document?: number;
  readonly file?: number;
  readonly role?: number;
  /** Of a grant: level and target, as words, and the target. */
  readonly target?: string;
  readonly grantTarget?: ModelGrant['target'];
}

/** A request is refused with a problem. */
export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** ByUser code. One serves all requests: the stack of a new error takes longer than all else in the model. */
const refusals = new Map<string, Refusal>();

export function refuse(code: string): never {
  const refusal = refusals.get(code) ?? new Refusal(code);
  refusals.set(code, refusal);
  throw refusal;
}

/** What is there at the beginning; whoever made it was an editor then. */
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

export function itemAt<T>(resources: readonly T[], number: number): T {
  const resource = resources[number];
  if (resource === undefined) throw new Error(`There is no number ${number}`);
  return resource;
}

export function ascending(one: number, other: number): number {
  return one - other;
}
