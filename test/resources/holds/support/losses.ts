import { expect } from '@jest/globals';
import { dueOn, today } from '../../../../src/resources/retention/retention.reader.js';
import { type TestTenant } from '../../../support/tenant.js';

interface FileState {
  readonly id: string;
  readonly isOpen: boolean;
  /** The file is closed and was to be kept until yesterday at the latest, by the rule of today. */
  readonly isDue: boolean;
}

interface DocumentState {
  readonly id: string;
  /** The document has been in the bin for the retention time. */
  readonly isPurgeable: boolean;
  readonly fileIds: readonly string[];
}

/** What a tenant has at a time at which nothing changes. */
export interface RecordState {
  readonly files: ReadonlyMap<string, FileState>;
  readonly documents: ReadonlyMap<string, DocumentState>;
}

const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

export async function recordState({ service, id }: TestTenant): Promise<RecordState> {
  const files = await service.query<FileState>(
    `SELECT f.id, f.closed_at IS NULL AS "isOpen",
            coalesce(${dueOn('f', 'r', '$2')} < ${today('$2')}, false) AS "isDue"
       FROM files f LEFT JOIN file_type_retentions r ON r.tenant_id = $1 AND r.file_type_id = f.file_type_id
      WHERE f.tenant_id = $1`,
    [id, service.configuration.timeZone],
  );
  const documents = await service.query<DocumentState>(
    `SELECT d.id, d.status = 'Deleted' AND d.deleted_at <= now() - make_interval(days => $2) AS "isPurgeable",
            ARRAY(SELECT df.file_id FROM document_files df WHERE df.tenant_id = $1 AND df.document_id = d.id) AS "fileIds"
       FROM documents d WHERE d.tenant_id = $1`,
    [id, service.configuration.binRetentionDays],
  );
  return { files: byId(files), documents: byId(documents) };
}

/** What of a disposal must hold at any time; each row is a violation. */
const VIOLATIONS = {
  'approved by one who made, changed or submitted it': `
    SELECT id FROM disposals WHERE tenant_id = $1 AND approved_by = ANY (editors || created_by || submitted_by)`,
  'destroyed without an approval': `
    SELECT o.file_id FROM disposal_files o JOIN disposals d ON d.tenant_id = $1 AND d.id = o.disposal_id
     WHERE o.tenant_id = $1 AND o.outcome = 'Destroyed' AND d.status NOT IN ('Approved', 'Completed')`,
  'destroyed, but exists': `
    SELECT o.file_id FROM disposal_files o JOIN files f ON f.tenant_id = $1 AND f.id = o.file_id
     WHERE o.tenant_id = $1 AND o.outcome = 'Destroyed'`,
  'destroyed without exactly one entry': `
    SELECT o.file_id FROM disposal_files o
     WHERE o.tenant_id = $1 AND o.outcome = 'Destroyed' AND 1 <> (
       SELECT count(*) FROM audit_entries e WHERE e.tenant_id = $1 AND e.subject_id = o.file_id
          AND e.action = 'FileDisposed' AND e.summary IS NULL AND e.related->>'disposalId' = o.disposal_id::text)`,
  'completed without exactly one entry, or with something left to do': `
    SELECT d.id FROM disposals d WHERE d.tenant_id = $1 AND d.status = 'Completed' AND (
      1 <> (SELECT count(*) FROM audit_entries e
             WHERE e.tenant_id = $1 AND e.subject_id = d.id AND e.action = 'DisposalCompleted')
      OR EXISTS (SELECT FROM disposal_files o WHERE o.tenant_id = $1 AND o.disposal_id = d.id AND o.is_unfinished)
      OR EXISTS (SELECT FROM disposal_contents c WHERE c.tenant_id = $1 AND c.disposal_id = d.id))`,
  'number used again': `
    SELECT f.number FROM disposal_files o JOIN files f ON f.tenant_id = $1 AND f.number_key = o.number_key
     WHERE o.tenant_id = $1 AND o.outcome = 'Destroyed'`,
  'in a package that can be downloaded': `
    SELECT i.item_id FROM exports x JOIN export_items i ON i.tenant_id = $1 AND i.export_id = x.id
      JOIN disposal_files o ON o.tenant_id = $1 AND o.file_id = i.item_id AND o.outcome = 'Destroyed'
     WHERE x.tenant_id = $1 AND x.status IN ('Ready', 'Running')`,
  'kept, but not until the day': `
    SELECT o.file_id FROM disposal_files o JOIN files f ON f.tenant_id = $1 AND f.id = o.file_id
     WHERE o.tenant_id = $1 AND o.outcome = 'Kept' AND (f.keep_until < o.keep_until) IS NOT FALSE`,
} as const;

/**
 * Expects that everything that is gone since `before` may be gone, and has its entries: files by a disposal that found them
 * due, or deleted while they were open; documents with their last file, or from the bin.
 *
 * @param mayLeave documents that requests took out of files since then
 */
export async function expectNoLoss(
  { service, id: tenantId }: TestTenant,
  before: RecordState,
  after: RecordState,
  mayLeave: ReadonlySet<string>,
): Promise<void> {
  const violations: Record<string, unknown> = {};
  for (const [what, text] of Object.entries(VIOLATIONS)) {
    const rows = await service.query(text, [tenantId]);
    if (rows.length > 0) violations[what] = rows;
  }
  const entries = await service.query<{ action: string; id: string }>(
    `SELECT action, subject_id AS id FROM audit_entries
      WHERE tenant_id = $1 AND action IN ('FileDisposed', 'FileDeleted', 'DocumentPurged')`,
    [tenantId],
  );
  const of = (action: string) => entries.filter((entry) => entry.action === action).map(({ id }) => id);
  const [disposed, deleted, purged] = ['FileDisposed', 'FileDeleted', 'DocumentPurged'].map(
    (action) => new Set(of(action)),
  ) as [Set<string>, Set<string>, Set<string>];
  if (purged.size < of('DocumentPurged').length) violations['purged twice'] = of('DocumentPurged');
  for (const [id, file] of before.files) {
    if (after.files.has(id)) continue;
    if (disposed.has(id) ? !file.isDue : !deleted.has(id)) violations[`file ${id}`] = file;
  }
  for (const [id, document] of before.documents) {
    if (after.documents.has(id)) continue;
    const left = document.fileIds.filter((fileId) => after.files.has(fileId));
    const wasDestroyed = document.fileIds.some((fileId) => disposed.has(fileId));
    const mayBeGone =
      purged.has(id) && (document.isPurgeable || (wasDestroyed && (left.length === 0 || mayLeave.has(id))));
    if (!mayBeGone) violations[`document ${id}`] = { ...document, left };
  }
  expect(violations).toEqual({});
}
