import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TenantTable } from '../../../../platform/database/transactions/tenant-table.js';
import {
  type TenantTransaction,
  type WriteTransaction,
} from '../../../../platform/database/transactions/tenant-transaction.js';
import { AuditLeafEntity, AuditTileEntity, AuditTreeEntity } from './audit-tree.entities.js';
import { type AuditEntry, SALT_BYTES } from './leaf.js';
import {
  type LeafRange,
  type NodeHash,
  type NodeRange,
  TILE,
  TOP_LEVEL,
  hashRange,
  nodesOf,
  rootOf,
} from './merkle-tree.js';

const HASH_BYTES = 32;

/** The stored part of a leaf. */
export interface StoredLeaf {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** A locked tree, and the next entries. Their `id` is null if the entry of an event does not exist. */
export interface LockedTree {
  /** Number of leaves. */
  readonly size: number;
  readonly entries: readonly (AuditEntry & { readonly sequence: number })[];
}

type Tile = Omit<AuditTileEntity, 'tenantId'>;

/**
 * Leaves of a range, those of one row one after another: of full tiles, and of batches. In one statement, because a
 * tile that fills up meanwhile replaces its batches.
 */
const LEAVES = `
  SELECT l.sequence, l.hashes, l.salts FROM audit_leaves l
   WHERE l.tenant_id = $1 AND l.sequence >= $2::bigint / ${TILE} * ${TILE} AND l.sequence < $3::bigint
  UNION ALL
  SELECT t.number * ${TILE}, t.hashes, t.salts FROM audit_tiles t
   WHERE t.tenant_id = $1 AND t.level = 1
     AND t.number >= $2::bigint / ${TILE} AND t.number <= ($3::bigint - 1) / ${TILE}
   ORDER BY 1`;

type LeavesRow = Omit<AuditLeafEntity, 'tenantId'>;

// A checkpoint must not state leaves that a crash of the server can undo.
const COMMIT_SYNCHRONOUSLY = { text: 'SET LOCAL synchronous_commit TO on' };

@Injectable()
export class AuditTreeRepository extends TenantTable<AuditTreeEntity> {
  private readonly batches: TenantTable<AuditLeafEntity>;
  private readonly tiles: TenantTable<AuditTileEntity>;

  constructor(dataSource: DataSource) {
    super(dataSource, AuditTreeEntity);
    this.batches = new TenantTable(dataSource, AuditLeafEntity, { properties: ['sequence'] });
    this.tiles = new TenantTable(dataSource, AuditTileEntity, { properties: ['level', 'number', 'root'] });
  }

  /** Like {@link lock}; then reads the entries that have no leaf yet, up to the limit. */
  async lockForEntries(tx: WriteTransaction, limit: number): Promise<LockedTree | undefined> {
    const [, [tree], entries] = await tx.queryAll<[object, { size: number }, LockedTree['entries'][number]]>([
      COMMIT_SYNCHRONOUSLY,
      this.lockStatement(tx),
      {
        // The limit is in the text, so that the plan for all values uses the order of the index.
        text: `SELECT v.sequence, ${ENTRY_COLUMNS}
                 FROM events v
                 LEFT JOIN LATERAL (SELECT * FROM audit_entries e WHERE e.tenant_id = $1 AND e.id = v.entry_id LIMIT 1) e
                   ON true
                WHERE v.tenant_id = $1
                  AND v.sequence >= (SELECT t.size FROM audit_trees t WHERE t.tenant_id = $1)
                ORDER BY v.sequence LIMIT ${limit}`,
        values: [tx.tenantId],
      },
    ]);
    return tree && { size: tree.size, entries };
  }

  /** Locks the tree until the commit, and returns its size; undefined if another transaction has locked it, or it has none yet. */
  async lock(tx: WriteTransaction): Promise<number | undefined> {
    const [, [tree]] = await tx.queryAll<[object, { size: number }]>([
      COMMIT_SYNCHRONOUSLY,
      this.lockStatement(tx),
    ]);
    return tree?.size;
  }

  private lockStatement(tx: WriteTransaction) {
    return this.statement(tx, 'lock', {}, () =>
      this.rows().setLock('pessimistic_write').setOnLocked('skip_locked'),
    );
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

  /** Adds leaves to a tree of this size, which must be locked. */
  async append(tx: WriteTransaction, size: number, added: readonly StoredLeaf[]): Promise<void> {
    const open = size - (size % TILE);
    const end = size + added.length;
    const newOpen = end - (end % TILE);
    const tiles = newOpen > open ? await this.newTiles(tx, { from: open, to: newOpen }, size, added) : [];
    const sequence = Math.max(size, newOpen);
    await tx.queryAll([
      ...tiles.map((tile) => this.tiles.insertStatement(tx, tile)),
      ...(tiles.length > 0
        ? [this.batches.deleteStatement(tx, {}, { and: 'sequence < :newOpen', values: { newOpen } })]
        : []),
      ...(sequence < end
        ? [this.batches.insertStatement(tx, { sequence, ...joined(added.slice(sequence - size)) })]
        : []),
      this.updateStatement(tx, { size: end }, {}),
    ]);
  }

  /** The stored leaves in the range, by sequence. */
  async leaves(tx: TenantTransaction, { from, to }: LeafRange): Promise<Map<number, StoredLeaf>> {
    const rows = await tx.query<LeavesRow>(LEAVES, [tx.tenantId, from, to], { planEachTime: true });
    const found = new Map<number, StoredLeaf>();
    for (const { sequence: first, hashes, salts } of rows) {
      for (let index = 0; index < hashes.length / HASH_BYTES; index += 1) {
        const sequence = first + index;
        if (sequence < from || sequence >= to) continue;
        found.set(sequence, { hash: part(hashes, index, HASH_BYTES), salt: part(salts, index, SALT_BYTES) });
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
      for (const rows of await tx.queryAll<Tile[]>(tiles.map((range) => this.rootsStatement(tx, range)))) {
        for (const { level, number, root } of rows) found.set(key(level, number), root);
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
      const root = rootOf(leaves.map(({ hash }) => hash));
      tiles.push({ level: 1, number: from / TILE, root, ...joined(leaves) });
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
    const stored = await this.tiles.send<Tile>(tx, this.rootsStatement(tx, range));
    const parts = [...stored, ...added.filter((tile) => tile.level === level)];
    const roots = new Map(parts.map(({ number, root }) => [number, root]));
    const hashes = Array.from({ length: TILE }, (_, index) => {
      const root = roots.get(range.from + index);
      if (!root) throw new Error(`The tree has no node ${range.from + index} on level ${level}`);
      return root;
    });
    return { level: level + 1, number: range.from / TILE, root: rootOf(hashes), hashes: null, salts: null };
  }

  private rootsStatement(tx: TenantTransaction, { level, from, to }: NodeRange) {
    const range = { and: 't.number >= :from AND t.number < :to', values: { from, to } };
    return this.tiles.selectStatement(tx, { level }, range);
  }
}

/** Columns of the entry `e`. */
export const ENTRY_COLUMNS = `e.id, e.occurred_at AS "occurredAt", e.actor_id AS "actorId", e.actor_name AS "actorName",
  e.action, e.subject_type AS "subjectType", e.subject_id AS "subjectId", e.summary,
  e.content_version AS "contentVersion", e.related`;

function joined(leaves: readonly StoredLeaf[]) {
  return {
    hashes: Buffer.concat(leaves.map(({ hash }) => hash)),
    salts: Buffer.concat(leaves.map(({ salt }) => salt)),
  };
}

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
