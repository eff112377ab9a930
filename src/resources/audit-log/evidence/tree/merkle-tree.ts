import { hash } from 'node:crypto';

/** Merkle trees by RFC 9162, section 2.1, with SHA-256. Sizes and places are integers below 2^53. */

/** Number of leaves of a tile: the full subtree whose root is a node one level higher. */
export const TILE = 256;

/** The leaves from `from` up to, and without, `to`. Every range here is a subtree of the RFC. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** Nodes of one level. The node with this number covers 256^level leaves, all of them in the tree. */
export interface NodeRange extends LeafRange {
  readonly level: number;
}

/** Hash of a stored node. */
export type NodeHash = (level: number, number: number) => Buffer;

/** Roots of subtrees of more leaves than 256^3 are computed from those of this level. */
export const TOP_LEVEL = 3;

export function hashLeaf(leaf: string): Buffer {
  return hash('sha256', `\0${leaf}`, 'buffer');
}

const NODE_PREFIX = Buffer.of(1);

export function hashNode(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');
}

export const EMPTY_ROOT = hash('sha256', '', 'buffer');

/** Largest power of two below the size, which is at least 2. */
function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

const isPowerOfTwo = (size: number) => size === 1 || splitOf(size) * 2 === size;

/** The full subtrees that a tree of this size consists of, from the left. */
export function fullSubtrees(size: number): LeafRange[] {
  const found: LeafRange[] = [];
  for (let from = 0; from < size;) {
    const rest = size - from;
    const to = from + (isPowerOfTwo(rest) ? rest : splitOf(rest));
    found.push({ from, to });
    from = to;
  }
  return found;
}

/** The subtrees whose hashes prove that the leaf is in the tree (2.1.3.1), from the leaf to the root. */
export function inclusionPath(leaf: number, size: number): LeafRange[] {
  const path: LeafRange[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    if (leaf < middle) {
      path.push({ from: middle, to });
      to = middle;
    } else {
      path.push({ from, to: middle });
      from = middle;
    }
  }
  return path.reverse();
}

/** The subtrees whose hashes prove that the first tree is the beginning of the second one (2.1.4.1). */
export function consistencyPath(first: number, second: number): LeafRange[] {
  const path: LeafRange[] = [];
  if (first === 0 || first === second) return path;
  let [from, to] = [0, second];
  let isKnown = true;
  while (to !== first) {
    const middle = from + splitOf(to - from);
    if (first <= middle) {
      path.push({ from: middle, to });
      to = middle;
    } else {
      path.push({ from, to: middle });
      from = middle;
      isKnown = false;
    }
  }
  if (!isKnown) path.push({ from, to });
  return path.reverse();
}

/** The stored nodes from which {@link hashRange} computes the hash. */
export function nodesOf({ from, to }: LeafRange): NodeRange[] {
  const size = to - from;
  if (size === 0) return [];
  if (isPowerOfTwo(size)) {
    const { level, leaves } = levelOf(size);
    return [{ level, from: from / leaves, to: to / leaves }];
  }
  const middle = from + splitOf(size);
  return [...nodesOf({ from, to: middle }), ...nodesOf({ from: middle, to })];
}

export function hashRange(range: LeafRange, node: NodeHash): Buffer {
  const { from, to } = range;
  const size = to - from;
  if (size === 0) return EMPTY_ROOT;
  if (isPowerOfTwo(size)) {
    const { level, leaves } = levelOf(size);
    const hashes = Array.from({ length: size / leaves }, (_, index) => node(level, from / leaves + index));
    return rootOf(hashes);
  }
  const middle = from + splitOf(size);
  return hashNode(hashRange({ from, to: middle }, node), hashRange({ from: middle, to }, node));
}

/** Root of nodes of one level, a power of two of them. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const pairs: Buffer[] = [];
    for (let i = 0; i < level.length; i += 2)
      pairs.push(hashNode(level[i] as Buffer, level[i + 1] as Buffer));
    level = pairs;
  }
  return level[0] as Buffer;
}

/** The highest stored level whose nodes make up a full subtree of this size. */
function levelOf(size: number): { level: number; leaves: number } {
  let [level, leaves] = [0, 1];
  while (level < TOP_LEVEL && leaves * TILE <= size) {
    level += 1;
    leaves *= TILE;
  }
  return { level, leaves };
}

/** A tree to which leaves are added, in memory that grows with the logarithm of its size. */
export class GrowingTree {
  private readonly subtrees: { leaves: number; hash: Buffer }[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @param hashes of the {@link fullSubtrees} of a tree of this size. Throws if they are not as many. */
  static of(size: number, hashes: readonly Buffer[]): GrowingTree {
    const ranges = fullSubtrees(size);
    if (ranges.length !== hashes.length)
      throw new Error(`A tree of size ${size} has ${ranges.length} subtrees`);
    const tree = new GrowingTree();
    tree.count = size;
    ranges.forEach(({ from, to }, index) =>
      tree.subtrees.push({ leaves: to - from, hash: hashes[index] as Buffer }),
    );
    return tree;
  }

  add(leafHash: Buffer): void {
    let added = { leaves: 1, hash: leafHash };
    for (let last = this.subtrees.at(-1); last?.leaves === added.leaves; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { leaves: last.leaves * 2, hash: hashNode(last.hash, added.hash) };
    }
    this.subtrees.push(added);
    this.count += 1;
  }

  root(): Buffer {
    let root: Buffer | undefined;
    for (const { hash } of this.subtrees.toReversed()) root = root ? hashNode(hash, root) : hash;
    return root ?? EMPTY_ROOT;
  }
}
