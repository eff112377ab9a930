import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Statement } from '../../../../platform/database/transactions/tenant-batch.js';
import { TenantTable } from '../../../../platform/database/transactions/tenant-table.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../../platform/database/transactions/tenant-transaction.js';
import { AuditTreeEntity } from './audit-tree.entity.js';
import { type AuditEntry, SALT_BYTES } from './leaf.js';
import {
  type LeafRange,
  type NodeHash,
  type NodeRange,
  TILE,
  hashRange,
  nodesOf,
  rootOf,
} from './merkle-tree.js';

const HASH_BYTES = 32;
const TOP_LEVEL = 3;

/** The stored part of a leaf. */
export interface StoredLeaf {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

interface LeafRow extends StoredLeaf {
  readonly sequence: number;
}

interface Tile {
  readonly level: number;
  readonly number: number;
  readonly root: Buffer;
  readonly hashes: Buffer | null;
  readonly salts: Buffer | null;
}

/**
 * Leaves of a range: of full tiles, and of the others. In one statement, because a tile that fills up meanwhile
 * replaces its leaves.
 */
const LEAVES = `
  SELECT l.sequence, l.hash AS hashes, l.salt AS salts, false AS "isTile" FROM audit_leaves l
   WHERE l.tenant_id = $1 AND l.sequence >= $2::bigint AND l.sequence < $3::bigint
  UNION ALL
  SELECT t.number, t.hashes, t.salts, true FROM audit_tiles t
   WHERE t.tenant_id = $1 AND t.level = 1
     AND t.number >= $2::bigint / ${TILE} AND t.number <= ($3::bigint - 1) / ${TILE}`;

interface FoundLeaves {
  /** Of the leaf, or the number of the tile. */
  readonly sequence: number;
  readonly hashes: Buffer;
  readonly salts: Buffer;
  readonly isTile: boolean;
}

@Injectable()
export class AuditTreeRepository extends TenantTable<AuditTreeEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, AuditTreeEntity);
  }

  /** Locks the tree until the commit, and returns its size; undefined if another transaction has locked it, or it has none yet. */
  async lock(tx: WriteTransaction): Promise<number | undefined> {
    const [, trees] = await tx.queryAll([
      // A checkpoint must not state leaves that a crash of the server can undo.
      { text: 'SET LOCAL synchronous_commit TO on', planEachTime: true },
      this.statement(tx, 'lock', {}, () =>
        this.rows().setLock('pessimistic_write').setOnLocked('skip_locked'),
      ),
    ]);
    return (trees as unknown as { size: number }[])[0]?.size;
  }

  /** Returns false if the tenant has a tree. */
  async create(tx: WriteTransaction): Promise<boolean> {
    const created = await this.send(tx, this.insertStatement(tx, {}, { ifAbsent: true }));
    return created.length > 0;
  }

  /** Number of leaves. */
  async size(tx: TenantTransaction): Promise<number> {
    const [tree] = await this.send(tx, this.selectStatement(tx, {}));
    return tree?.size ?? 0;
  }

  /** The entries with these sequences. `id` is null if the entry of an event does not exist. */
  entries(
    tx: TenantTransaction,
    { from, to }: LeafRange,
  ): Promise<(AuditEntry & { readonly sequence: number })[]> {
    return tx.query(
      `SELECT v.sequence, ${ENTRY_COLUMNS}
         FROM events v
         LEFT JOIN LATERAL (SELECT * FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = v.entry_id LIMIT 1) e ON true
        WHERE v.tenant_id = $1 AND v.sequence >= $2::bigint AND v.sequence < $3::bigint
        ORDER BY v.sequence`,
      [tx.tenantId, from, to],
      { planEachTime: true },
    );
  }

  /** Adds leaves to a tree of this size, which must be locked. */
  async append(tx: WriteTransaction, size: number, added: readonly StoredLeaf[]): Promise<void> {
    const open = size - (size % TILE);
    const end = size + added.length;
    const newOpen = end - (end % TILE);
    const tiles = newOpen > open ? await this.newTiles(tx, { from: open, to: newOpen }, size, added) : [];
    const rows = added
      .map((leaf, index) => ({ ...leaf, sequence: size + index }))
      .filter(({ sequence }) => sequence >= newOpen);
    await tx.queryAll([
      ...(tiles.length > 0 ? [insertTiles(tx, tiles), deleteLeaves(tx, newOpen)] : []),
      ...(rows.length > 0 ? [insertLeaves(tx, rows)] : []),
      this.updateStatement(tx, { size: end }, {}),
    ]);
  }

  /** The stored leaves in the range, by sequence. */
  async leaves(tx: TenantTransaction, { from, to }: LeafRange): Promise<Map<number, StoredLeaf>> {
    const rows = await tx.query<FoundLeaves>(LEAVES, [tx.tenantId, from, to], { planEachTime: true });
    const found = new Map<number, StoredLeaf>();
    for (const row of rows) {
      if (!row.isTile) {
        found.set(row.sequence, { hash: row.hashes, salt: row.salts });
        continue;
      }
      for (let index = 0; index < TILE; index += 1) {
        const sequence = row.sequence * TILE + index;
        if (sequence < from || sequence >= to) continue;
        found.set(sequence, {
          hash: part(row.hashes, index, HASH_BYTES),
          salt: part(row.salts, index, SALT_BYTES),
        });
      }
    }
    return found;
  }

  /** The hashes of subtrees of the tree. */
  async hashes(tx: TenantTransaction, ranges: readonly LeafRange[]): Promise<Buffer[]> {
    const needed = merged(ranges.flatMap(nodesOf));
    const found = new Map<string, Buffer>();
    const key = (level: number, number: number) => `${level} ${number}`;
    for (const leaves of needed.filter(({ level }) => level === 0)) {
      for (const [sequence, { hash }] of await this.leaves(tx, leaves)) found.set(key(0, sequence), hash);
    }
    const tiles = needed.filter(({ level }) => level > 0);
    if (tiles.length > 0) {
      for (const rows of await tx.queryAll(tiles.map((range) => selectRoots(tx, range)))) {
        for (const { level, number, root } of rows as unknown as Tile[]) found.set(key(level, number), root);
      }
    }
    const node: NodeHash = (level, number) => {
      const hash = found.get(key(level, number));
      if (!hash) throw new Error(`The tree has no node ${number} on level ${level}`);
      return hash;
    };
    return ranges.map((range) => hashRange(range, node));
  }

  private async newTiles(
    tx: WriteTransaction,
    range: LeafRange,
    size: number,
    added: readonly StoredLeaf[],
  ): Promise<Tile[]> {
    const stored = await this.leaves(tx, { from: range.from, to: size });
    const tiles: Tile[] = [];
    for (let from = range.from; from < range.to; from += TILE) {
      const leaves = Array.from({ length: TILE }, (_, index) => {
        const leaf = from + index < size ? stored.get(from + index) : added[from + index - size];
        if (!leaf) throw new Error(`The tree has no leaf ${from + index}`);
        return leaf;
      });
      const hashes = leaves.map(({ hash }) => hash);
      const salts = leaves.map(({ salt }) => salt);
      tiles.push({
        ...{ level: 1, number: from / TILE, root: rootOf(hashes) },
        ...{ hashes: Buffer.concat(hashes), salts: Buffer.concat(salts) },
      });
    }
    for (let level = 1; level < TOP_LEVEL; level += 1) {
      const complete = tiles.filter((tile) => tile.level === level && (tile.number + 1) % TILE === 0);
      for (const { number } of complete) tiles.push(await this.parentOf(tx, level, number, tiles));
    }
    return tiles;
  }

  /** The tile whose last part is the one with this number. */
  private async parentOf(
    tx: WriteTransaction,
    level: number,
    last: number,
    added: readonly Tile[],
  ): Promise<Tile> {
    const range = { level, from: last + 1 - TILE, to: last + 1 };
    const [stored] = await tx.queryAll([selectRoots(tx, range)]);
    const parts = [...(stored as unknown as Tile[]), ...added.filter((tile) => tile.level === level)];
    const roots = new Map(parts.map(({ number, root }) => [number, root]));
    const hashes = Array.from({ length: TILE }, (_, index) => {
      const root = roots.get(range.from + index);
      if (!root) throw new Error(`The tree has no node ${range.from + index} on level ${level}`);
      return root;
    });
    return { level: level + 1, number: range.from / TILE, root: rootOf(hashes), hashes: null, salts: null };
  }
}

/** Columns of the entry `e`. */
export const ENTRY_COLUMNS = `e.id, e.occurred_at AS "occurredAt", e.actor_id AS "actorId", e.actor_name AS "actorName",
  e.action, e.subject_type AS "subjectType", e.subject_id AS "subjectId", e.summary,
  e.content_version AS "contentVersion", e.related`;

function part(bytes: Buffer, index: number, size: number): Buffer {
  return bytes.subarray(index * size, (index + 1) * size);
}

/** Fewer ranges with the same nodes, so that they are read with few statements. */
function merged(ranges: readonly NodeRange[]): NodeRange[] {
  const found: NodeRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.level - b.level || a.from - b.from)) {
    const last = found.at(-1);
    if (last?.level === range.level && range.from <= last.to)
      found[found.length - 1] = { ...last, to: Math.max(last.to, range.to) };
    else found.push(range);
  }
  return found;
}

function selectRoots(tx: TenantTransaction, { level, from, to }: NodeRange): Statement {
  return {
    text: `SELECT level, number, root FROM audit_tiles
            WHERE tenant_id = $1 AND level = $2 AND number >= $3::bigint AND number < $4::bigint`,
    values: [tx.tenantId, level, from, to],
    planEachTime: true,
  };
}

function insertTiles(tx: WriteTransaction, tiles: readonly Tile[]): Statement {
  const { newRows } = tx.layout;
  const rows = `unnest($2::int[], $3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[])
    AS n (level, number, root, hashes, salts)`;
  return {
    text: `INSERT INTO audit_tiles (tenant_id, level, number, root, hashes, salts)
           SELECT ${newRows.tenantId}, n.level, n.number, n.root, n.hashes, n.salts FROM ${newRows.from(rows)}`,
    values: [
      tx.tenantId,
      tiles.map(({ level }) => level),
      tiles.map(({ number }) => number),
      tiles.map(({ root }) => root),
      tiles.map(({ hashes }) => hashes),
      tiles.map(({ salts }) => salts),
    ],
  };
}

function insertLeaves(tx: WriteTransaction, leaves: readonly LeafRow[]): Statement {
  const { newRows } = tx.layout;
  return {
    text: `INSERT INTO audit_leaves (tenant_id, sequence, salt, hash)
           SELECT ${newRows.tenantId}, n.sequence, n.salt, n.hash
             FROM ${newRows.from('unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS n (sequence, salt, hash)')}`,
    values: [
      tx.tenantId,
      leaves.map(({ sequence }) => sequence),
      leaves.map(({ salt }) => salt),
      leaves.map(({ hash }) => hash),
    ],
  };
}

function deleteLeaves(tx: WriteTransaction, before: number): Statement {
  return {
    text: 'DELETE FROM audit_leaves WHERE tenant_id = $1 AND sequence < $2::bigint',
    values: [tx.tenantId, before],
    planEachTime: true,
  };
}
