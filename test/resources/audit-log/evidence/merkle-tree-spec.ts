import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import {
  type LeafRange,
  GrowingTree,
  consistencyPath,
  fullSubtrees,
  hashLeaf,
  hashNode,
  hashRange,
  inclusionPath,
  nodesOf,
  rootOf,
} from '../../../../src/resources/audit-log/evidence/tree/merkle-tree.js';
import { rootByInclusion, rootsByConsistency } from './rfc-9162.js';
import { sized } from '../../../support/exhaustive.js';

/** Leaves and roots of the trees of size 1 to 8 of the reference tests of Certificate Transparency (RFC 6962). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const INCLUSION: readonly (readonly [leaf: number, size: number, path: string[]])[] = [
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
];
const CONSISTENCY: readonly (readonly [first: number, second: number, path: string[]])[] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

const hashBytes = (leaf: string) =>
  createHash('sha256').update('\0').update(Buffer.from(leaf, 'latin1')).digest();

/** The definition of RFC 9162, 2.1.1, by recursion over the leaves. */
function treeHash(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return createHash('sha256').digest();
  if (hashes.length === 1) return hashes[0] as Buffer;
  let middle = 1;
  while (middle * 2 < hashes.length) middle *= 2;
  return hashNode(treeHash(hashes.slice(0, middle)), treeHash(hashes.slice(middle)));
}

/** Nodes of all levels above these leaves, as the database has them. */
function nodesAbove(hashes: readonly Buffer[]) {
  const levels = [hashes];
  for (let level = 1; level <= 3; level += 1) {
    const below = levels[level - 1] ?? [];
    const count = Math.floor(below.length / 256);
    levels.push(Array.from({ length: count }, (_, n) => rootOf(below.slice(n * 256, (n + 1) * 256))));
  }
  return (level: number, number: number): Buffer => {
    const hash = levels[level]?.[number];
    if (!hash) throw new Error(`no node ${number} on level ${level}`);
    return hash;
  };
}

const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));

describe('The Merkle tree', () => {
  describe('with the published vectors of RFC 6962', () => {
    const node = nodesAbove(LEAVES.map(hashBytes));
    const hashes = (ranges: readonly LeafRange[]) => hex(ranges.map((range) => hashRange(range, node)));

    it.each(ROOTS.map((root, index) => [index + 1, root] as const))(
      'has the root of size %d',
      (size, root) => {
        expect(hashes([{ from: 0, to: size }])).toEqual([root]);
        const tree = new GrowingTree();
        for (const leaf of LEAVES.slice(0, size)) tree.add(hashBytes(leaf));
        expect(hex([tree.root()])).toEqual([root]);
      },
    );

    it('has the root of an empty tree', () => {
      const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      expect(hashes([{ from: 0, to: 0 }])).toEqual([empty]);
      expect(hex([new GrowingTree().root()])).toEqual([empty]);
    });

    it.each(INCLUSION)('proves the leaf %d in the tree of size %d', (leaf, size, path) =>
      expect(hashes(inclusionPath(leaf, size))).toEqual(path),
    );

    it.each(CONSISTENCY)(
      'proves that the tree of size %d is the beginning of that of size %d',
      (first, second, path) => expect(hashes(consistencyPath(first, second))).toEqual(path),
    );
  });

  it('prefixes the bytes of a leaf in UTF-8 with 0x00', () => {
    const bytes = Buffer.concat([Buffer.of(0), Buffer.from('Straße')]);
    expect(hashLeaf('Straße')).toEqual(createHash('sha256').update(bytes).digest());
  });

  describe('for all sizes up to 300', () => {
    const leaves = Array.from({ length: 300 }, (_, n) => hashLeaf(`leaf ${n}`));
    const node = nodesAbove(leaves);
    const known = new Map<string, Buffer>();
    const hash = (range: LeafRange) => {
      const key = `${range.from}-${range.to}`;
      const found = known.get(key) ?? hashRange(range, node);
      known.set(key, found);
      return found;
    };
    const roots = leaves.map((_, index) => treeHash(leaves.slice(0, index + 1)));
    /** Of each size, or of those around the size of a tile. */
    const isTested = (size: number) => sized(size <= 40 || (size >= 250 && size <= 265), true);

    it('has the root of the definition, from stored nodes and by adding leaves', () => {
      const tree = new GrowingTree();
      for (const [index, leaf] of leaves.entries()) {
        tree.add(leaf);
        const root = roots[index] as Buffer;
        expect([hash({ from: 0, to: index + 1 }), tree.root()]).toEqual([root, root]);
        expect(GrowingTree.of(index + 1, fullSubtrees(index + 1).map(hash)).root()).toEqual(root);
      }
    });

    it('proves every leaf by the verification of RFC 9162', () => {
      for (let size = 1; size <= 300; size += 1) {
        if (!isTested(size)) continue;
        for (let leaf = 0; leaf < size; leaf += 1) {
          const root = rootByInclusion(
            leaves[leaf] as Buffer,
            leaf,
            size,
            inclusionPath(leaf, size).map(hash),
          );
          if (!root.equals(roots[size - 1] as Buffer)) throw new Error(`leaf ${leaf} of ${size}`);
        }
      }
    });

    it('proves every beginning by the verification of RFC 9162', () => {
      for (let second = 1; second <= 300; second += 1) {
        if (!isTested(second)) continue;
        for (let first = 1; first < second; first += 1) {
          const expected = [roots[first - 1] as Buffer, roots[second - 1] as Buffer];
          const found = rootsByConsistency(
            first,
            second,
            consistencyPath(first, second).map(hash),
            expected[0]!,
          );
          if (!found.every((root, index) => root.equals(expected[index]!)))
            throw new Error(`${first} of ${second}`);
        }
      }
    });
  });

  it('proves random leaves and beginnings of random sizes', () => {
    // More than one node of the second level.
    const count = sized(70_000, 1_000_000);
    const leaves = Array.from({ length: count }, (_, n) => hashLeaf(String(n)));
    const node = nodesAbove(leaves);
    const hash = (range: LeafRange) => hashRange(range, node);
    const random = (below: number) => Math.floor(Math.random() * below);
    for (let round = 0; round < sized(20, 50); round += 1) {
      const second = 2 + random(count - 1);
      const first = 1 + random(second - 1);
      const leaf = random(second);
      const root = hash({ from: 0, to: second });
      const found = rootByInclusion(leaves[leaf]!, leaf, second, inclusionPath(leaf, second).map(hash));
      const path = consistencyPath(first, second).map(hash);
      const roots = rootsByConsistency(first, second, path, hash({ from: 0, to: first }));
      expect({ first, second, leaf, found, roots }).toEqual({
        ...{ first, second, leaf, found: root },
        roots: [hash({ from: 0, to: first }), root],
      });
    }
  });

  it.each([255, 65_535, 16_777_215, 16_777_217, 10_000_000_000])(
    'reads at most 1,500 nodes for a proof in a tree of size %d',
    (size) => {
      const places = [0, Math.floor(size / 3), size - 1];
      const read = (ranges: readonly LeafRange[]) => {
        const rows = new Set<string>();
        for (const { level, from, to } of ranges.flatMap(nodesOf)) {
          // The leaves of a full tile are one row.
          const isTile = level === 0 && from < size - (size % 256);
          for (let n = from; n < to; n += 1)
            rows.add(isTile ? `tile ${Math.floor(n / 256)}` : `${level} ${n}`);
        }
        return rows.size;
      };
      const top = Math.ceil(size / 2 ** 24);
      for (const place of places) {
        const inclusion = read([{ from: 0, to: size }, ...inclusionPath(place, size)]);
        expect(inclusion).toBeLessThanOrEqual(1500 + top);
        expect(read(consistencyPath(place, size))).toBeLessThanOrEqual(1500 + top);
      }
    },
  );
});
