import { hashNode } from '../../../../src/resources/audit-log/evidence/tree/merkle-tree.js';

/** Verification of an inclusion proof, RFC 9162, 2.1.3.2. */
export function rootByInclusion(
  leafHash: Buffer,
  leaf: number,
  size: number,
  path: readonly Buffer[],
): Buffer {
  let [fn, sn, root] = [leaf, size - 1, leafHash];
  for (const hash of path) {
    if (sn === 0) throw new Error('too long');
    if (fn % 2 === 1 || fn === sn) {
      root = hashNode(hash, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else root = hashNode(root, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0) throw new Error('too short');
  return root;
}

/** Verification of a consistency proof, RFC 9162, 2.1.4.2. Returns the roots that it is for. */
export function rootsByConsistency(
  first: number,
  second: number,
  given: readonly Buffer[],
  firstRoot: Buffer,
): Buffer[] {
  let [fn, sn] = [first - 1, second - 1];
  const path = (first & (first - 1)) === 0 ? [firstRoot, ...given] : given;
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  let [fr, sr] = [path[0] as Buffer, path[0] as Buffer];
  for (const hash of path.slice(1)) {
    if (sn === 0) throw new Error('too long');
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [hashNode(hash, fr), hashNode(hash, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else sr = hashNode(sr, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  if (sn !== 0) throw new Error('too short');
  return [fr, sr];
}
