import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@jest/globals';
import { type MixedWrites, type WriteKind } from './mixed-writes.js';
import { type ServiceFixture } from '../../support/service/service-fixture.js';

interface StoredWrite {
  readonly kind: WriteKind;
  readonly mark: string;
  readonly id: string;
  /** Whether its audit entries, notification, links and job exist exactly once. */
  readonly isComplete: boolean;
}

/** Everything that {@link MixedWrites} has written, with its mark. */
const WRITTEN = `
  WITH entry AS (
    SELECT subject_id, action, count(*) AS count FROM audit_entries GROUP BY subject_id, action
  ), granted AS (
    SELECT parameters ->> 'grantId' AS grant_id, count(*) AS count, min(user_id::text) AS user_id
      FROM notifications WHERE type = 'AccessGranted' GROUP BY 1
  ), job AS (
    SELECT payload ->> 'documentId' AS document_id, count(*) AS count
      FROM graphile_worker._private_jobs GROUP BY 1
  )
  SELECT 'file' AS kind, f.number AS mark, f.id, coalesce(e.count = 1, false) AS "isComplete"
    FROM files f LEFT JOIN entry e ON e.subject_id = f.id AND e.action = 'FileCreated'
  UNION ALL
  SELECT 'rename', f.name, f.id, coalesce(e.count = 1, false)
    FROM files f LEFT JOIN entry e ON e.subject_id = f.id AND e.action = 'FileRenamed' WHERE f.name <> 'new'
  UNION ALL
  SELECT 'tag', t.name, t.id, coalesce(e.count = 1, false)
    FROM tags t LEFT JOIN entry e ON e.subject_id = t.id AND e.action = 'TagCreated'
  UNION ALL
  SELECT 'grant', g.reason, g.id, coalesce(e.count = 1 AND n.count = 1 AND n.user_id = g.subject_id::text, false)
    FROM access_grants g
    LEFT JOIN entry e ON e.subject_id = g.id AND e.action = 'AccessGranted'
    LEFT JOIN granted n ON n.grant_id = g.id::text
  UNION ALL
  SELECT 'upload', d.title, d.id,
         coalesce(c.count = 1 AND f.count = 1, false)
           AND 1 = (SELECT count(*) FROM document_files l WHERE l.tenant_id = d.tenant_id AND l.document_id = d.id)
           AND 1 = (SELECT count(*) FROM document_versions v WHERE v.tenant_id = d.tenant_id AND v.document_id = d.id)
           AND (d.status = 'Active' OR coalesce(j.count = 1, false))
    FROM documents d
    LEFT JOIN entry c ON c.subject_id = d.id AND c.action = 'DocumentCreated'
    LEFT JOIN entry f ON f.subject_id = d.id AND f.action = 'DocumentFiled'
    LEFT JOIN job j ON j.document_id = d.id::text`;

/** Audit entries, notifications, jobs and stored answers without their resource. */
const ORPHANS = `
  SELECT a.action AS what, a.subject_id::text AS of FROM audit_entries a
   WHERE CASE a.subject_type
           WHEN 'File' THEN NOT EXISTS (SELECT FROM files f WHERE f.id = a.subject_id
                                          AND (a.action <> 'FileRenamed' OR f.name <> 'new'))
           WHEN 'Tag' THEN NOT EXISTS (SELECT FROM tags t WHERE t.id = a.subject_id)
           WHEN 'AccessGrant' THEN NOT EXISTS (SELECT FROM access_grants g WHERE g.id = a.subject_id)
           WHEN 'Document' THEN NOT EXISTS (SELECT FROM documents d WHERE d.id = a.subject_id)
         END
  UNION ALL
  SELECT n.type, n.parameters ->> 'grantId' FROM notifications n
   WHERE n.type = 'AccessGranted'
     AND NOT EXISTS (SELECT FROM access_grants g WHERE g.id::text = n.parameters ->> 'grantId')
  UNION ALL
  SELECT 'job', j.payload ->> 'documentId' FROM graphile_worker._private_jobs j
   WHERE j.payload ->> 'documentId' IS NOT NULL
     AND NOT EXISTS (SELECT FROM documents d WHERE d.id::text = j.payload ->> 'documentId')
  UNION ALL
  SELECT k.operation, k.key FROM idempotency_keys k WHERE k.body IS NULL`;

export async function readStoredWrites({ owner }: ServiceFixture): Promise<StoredWrite[]> {
  return (await owner.query<StoredWrite>(WRITTEN)).rows;
}

/** Expects every acknowledged write to be stored completely and once, without incomplete writes or orphans. */
export async function checkStoredWrites(fixture: ServiceFixture, writes: MixedWrites): Promise<void> {
  // Copy first: writes acknowledged during the query may be missing from its result.
  const acknowledged = [...writes.acknowledged];
  const rows = await readStoredWrites(fixture);
  const byMark = new Map(rows.map((row) => [row.mark, row]));
  const lost = acknowledged.filter(({ mark, id }) => byMark.get(mark)?.id !== id);
  expect(lost.map(({ mark, id }) => ({ mark, id }))).toEqual([]);
  expect(rows.filter(({ isComplete }) => !isComplete)).toEqual([]);
  expect(rows.filter((row) => byMark.get(row.mark) !== row)).toEqual([]);
  // Other rows may only come from pending writes.
  const known = new Set([...writes.acknowledged, ...writes.pending].map(({ mark }) => mark));
  expect(rows.filter(({ mark }) => !known.has(mark))).toEqual([]);
  expect((await fixture.owner.query(ORPHANS)).rows).toEqual([]);
}

/**
 * Expects the hash of every stored content to match its name, and every content of the database to be stored. Returns
 * their number.
 */
export async function checkContentStore({ owner, directory }: ServiceFixture): Promise<number> {
  const folder = path.join(directory, 'content', 'objects');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = new Map<string, number>();
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(entry.name);
    sizes.set(entry.name, bytes.length);
  }
  const { rows } = await owner.query<{ sha256: string; size: string }>('SELECT sha256, size FROM contents');
  expect(rows.filter(({ sha256, size }) => sizes.get(sha256) !== Number(size))).toEqual([]);
  return rows.length;
}

/** Median and maximum as text. */
export function formatSpread(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${Math.round(middle)} ms (median), ${Math.round(sorted.at(-1) ?? 0)} ms (maximum)`;
}
