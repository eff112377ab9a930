import { type Bind } from '../../database/sql-parameters.js';
import { type Caller } from './caller.js';

// SQL conditions for the files and documents that a caller can see. Every query that returns files or documents must
// use one.

/**
 * An active grant of the caller. The database's clock decides whether it has expired. `expired_at` is only needed for
 * the index of active grants.
 */
function liveGrant(caller: Caller, alias: string, bind: Bind): string {
  return `${alias}.tenant_id = ${bind(caller.tenantId)} AND ${alias}.revoked_at IS NULL AND ${alias}.expired_at IS NULL
    AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > now())
    AND ((${alias}.subject_type = 'User' AND ${alias}.subject_id = ${bind(caller.user.id)})
      OR (${alias}.subject_type = 'Role' AND ${alias}.subject_id = ${bind(caller.role.id)}))`;
}

/** Files that a grant of the caller covers, regardless of the role's permissions. */
export function grantedFiles(
  caller: Caller,
  alias: string,
  bind: Bind,
  level: 'Read' | 'Write' = 'Read',
): string {
  const enough = level === 'Write' ? ` AND g.level = 'Write'` : '';
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, 'g', bind)}${enough}
    AND ((g.target_type = 'File' AND g.target_id = ${alias}.id)
      OR (g.target_type = 'FileType' AND g.target_id = ${alias}.file_type_id)))`;
}

/** Whether a grant of the caller covers all files of a type. `typeId` is an SQL expression. */
export function grantedFileType(caller: Caller, typeId: string, bind: Bind): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, 'g', bind)}
    AND g.target_type = 'FileType' AND g.target_id = ${typeId})`;
}

export function anyGrant(caller: Caller, bind: Bind, level: 'Read' | 'Write' = 'Read'): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, 'g', bind)}${level === 'Write' ? ` AND g.level = 'Write'` : ''})`;
}

/** Files that the caller can see: all with `files.read`, otherwise the granted ones. `alias` is a row of `files`. */
export function visibleFiles(caller: Caller, alias: string, bind: Bind): string {
  return caller.has('files.read') ? 'true' : grantedFiles(caller, alias, bind);
}

/**
 * {@link visibleFiles} as one page of files, newest first. The condition for grants cannot use an index: PostgreSQL
 * would test it for every file of the tenant. Here each grant has its own query, which an index returns in order. The
 * page consists of the first rows of these queries.
 *
 * @param page Query for a page of the files `f` with an additional condition: selects `createdAt` and `id`, ordered,
 *   limited.
 * @param limit Placeholder of the number of files.
 */
export function visibleFilePage(
  caller: Caller,
  bind: Bind,
  page: (condition: string) => string,
  limit: string,
): string {
  if (caller.has('files.read')) return page('true');
  const granted = (targetType: 'File' | 'FileType', column: 'id' | 'file_type_id') =>
    `SELECT top.* FROM access_grants g CROSS JOIN LATERAL (${page(`f.${column} = g.target_id`)}) top
      WHERE ${liveGrant(caller, 'g', bind)} AND g.target_type = '${targetType}'`;
  return `SELECT DISTINCT visible.* FROM (${granted('File', 'id')} UNION ALL ${granted('FileType', 'file_type_id')}) visible
           ORDER BY visible."createdAt" DESC, visible.id DESC LIMIT ${limit}`;
}

/** Only users on its list can see a confidential document, regardless of roles and grants. */
export function notConfidentialToOthers(caller: Caller, alias: string, bind: Bind): string {
  return `(NOT ${alias}.is_confidential OR EXISTS (SELECT FROM document_confidential_users c
    WHERE c.tenant_id = ${bind(caller.tenantId)} AND c.document_id = ${alias}.id AND c.user_id = ${bind(caller.user.id)}))`;
}

/**
 * Documents that the caller can see: none without `documents.read`. A confidential document is visible if the caller
 * is on its list. Any other document is visible with `files.read`, if it is in a visible file, or if the caller
 * created it. `alias` is a row of `documents`. The condition includes documents in the bin; {@link readableDocuments}
 * is without them for callers who cannot see the bin.
 */
export function visibleDocuments(caller: Caller, alias: string, bind: Bind): string {
  if (!caller.has('documents.read')) return 'false';
  const open = notConfidentialToOthers(caller, alias, bind);
  if (caller.has('files.read')) return open;
  return `(${open} AND (${alias}.is_confidential OR ${alias}.created_by = ${bind(caller.user.id)} OR EXISTS (
    SELECT FROM document_files vdf JOIN files vf ON vf.tenant_id = vdf.tenant_id AND vf.id = vdf.file_id
     WHERE vdf.tenant_id = ${bind(caller.tenantId)} AND vf.tenant_id = ${bind(caller.tenantId)}
       AND vdf.document_id = ${alias}.id AND ${grantedFiles(caller, 'vf', bind)})))`;
}

/** Source of a page of documents. `d` is a row of the view `documents_search`. */
export interface DocumentSource {
  /** JOIN with `d`; may be empty. */
  readonly join: string;
  readonly condition: string;
  /** Alias of a joined row with `document_id` and `created_at`, in whose order documents can also be read. */
  readonly ordered: string | null;
}

/**
 * {@link visibleDocuments} as the keys (`sort_key`, `id`) of one page, for searches. Without `files.read` the condition
 * cannot use an index: PostgreSQL would test it for every document. So there is one query for each grant, one for the
 * caller's own documents, and one for documents that list the caller as confidential user. An index returns each in the
 * order of creation. The page consists of the first rows of these queries (docs/adr/0016).
 *
 * @param page Query for a page of a source: selects `sort_key` and `id`, ordered, limited, without duplicates.
 * @param top ORDER BY and LIMIT of the page.
 */
export function visibleDocumentPage(
  caller: Caller,
  bind: Bind,
  page: (source: DocumentSource) => string,
  top: string,
): string {
  const plain = { join: '', ordered: null };
  if (!caller.has('documents.read')) return page({ ...plain, condition: 'false' });
  if (caller.has('files.read'))
    return page({ ...plain, condition: notConfidentialToOthers(caller, 'd', bind) });
  const open = 'NOT d.is_confidential';
  const granted = (targetType: 'File' | 'FileType', column: 'file_id' | 'file_type_id') => {
    const join = `JOIN document_files_search gf
      ON gf.tenant_id = d.tenant_id AND gf.document_id = d.id AND gf.created_at = d.created_at`;
    const condition = `${open} AND gf.tenant_id = ${bind(caller.tenantId)} AND gf.${column} = g.target_id`;
    return `SELECT top.sort_key, top.id FROM access_grants g
             CROSS JOIN LATERAL (${page({ join, condition, ordered: 'gf' })}) top
             WHERE ${liveGrant(caller, 'g', bind)} AND g.target_type = '${targetType}'`;
  };
  const own = page({ ...plain, condition: `${open} AND d.created_by = ${bind(caller.user.id)}` });
  const listed = page({
    join: `JOIN (SELECT tenant_id, user_id, document_id, document_created_at AS created_at
                   FROM document_confidential_users) c
      ON c.tenant_id = d.tenant_id AND c.document_id = d.id AND c.created_at = d.created_at`,
    condition: `d.is_confidential AND c.tenant_id = ${bind(caller.tenantId)} AND c.user_id = ${bind(caller.user.id)}`,
    ordered: 'c',
  });
  return `SELECT DISTINCT sort_key, id
            FROM ((${own}) UNION ALL (${listed})
              UNION ALL ${granted('File', 'file_id')} UNION ALL ${granted('FileType', 'file_type_id')}) visible
           ${top}`;
}

/** Hides documents in the bin from callers who can neither delete nor restore documents. */
export function binCondition(caller: Caller, alias: string): string {
  return caller.has('documents.delete') || caller.has('documents.restore')
    ? 'true'
    : `${alias}.status <> 'Deleted'`;
}

export function readableDocuments(caller: Caller, alias: string, bind: Bind): string {
  return `(${visibleDocuments(caller, alias, bind)} AND ${binCondition(caller, alias)})`;
}
