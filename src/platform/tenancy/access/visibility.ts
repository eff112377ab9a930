import { type Bind } from '../../database/sql-parameters.js';
import { type Caller } from './caller.js';

// What a caller sees, as SQL conditions. Every query that could show a file or a document contains one of them.

/**
 * A grant of the caller that counts now. The database's clock decides about its end; the mark of the sweep is there for
 * the index of live grants only.
 */
function liveGrant(caller: Caller, alias: string, bind: Bind): string {
  return `${alias}.tenant_id = ${bind(caller.tenantId)} AND ${alias}.revoked_at IS NULL AND ${alias}.expired_at IS NULL
    AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > now())
    AND ((${alias}.subject_type = 'User' AND ${alias}.subject_id = ${bind(caller.user.id)})
      OR (${alias}.subject_type = 'Role' AND ${alias}.subject_id = ${bind(caller.role.id)}))`;
}

/** Files that a grant of the caller covers, whatever the role allows. */
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

/** Whether a grant of the caller covers all files of a type; `typeId` is an expression. */
export function grantedFileType(caller: Caller, typeId: string, bind: Bind): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, 'g', bind)}
    AND g.target_type = 'FileType' AND g.target_id = ${typeId})`;
}

/** Whether the caller holds any grant at all of the level. */
export function anyGrant(caller: Caller, bind: Bind, level: 'Read' | 'Write' = 'Read'): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, 'g', bind)}${level === 'Write' ? ` AND g.level = 'Write'` : ''})`;
}

/** Files that the caller sees: all with `files.read`, otherwise the granted ones. `alias` names a row of `files`. */
export function visibleFiles(caller: Caller, alias: string, bind: Bind): string {
  return caller.has('files.read') ? 'true' : grantedFiles(caller, alias, bind);
}

/**
 * {@link visibleFiles} as one page of files, newest first: as a condition, what somebody sees by grants cannot be
 * looked up, only tried on every file of the tenant. Here each grant is a list by itself, which an index has in order,
 * and the page is made of the tops of the lists.
 *
 * @param page the page of the files `f` under one more condition: a SELECT with `createdAt` and `id`, ordered, limited
 * @param limit placeholder of the number of files
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

/** A confidential document is seen by the users on its list only, whatever roles and grants say. */
export function notConfidentialToOthers(caller: Caller, alias: string, bind: Bind): string {
  return `(NOT ${alias}.is_confidential OR EXISTS (SELECT FROM document_confidential_users c
    WHERE c.tenant_id = ${bind(caller.tenantId)} AND c.document_id = ${alias}.id AND c.user_id = ${bind(caller.user.id)}))`;
}

/**
 * Documents that the caller sees: none without `documents.read`. A confidential document is visible if the caller is on
 * its list. Any other document is visible with `files.read`, if it is in a visible file, or if the caller created it.
 * `alias` names a row of `documents`. The query decides whether the bin is shown; for reading, see
 * {@link readableDocuments}.
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

/** Where a page of documents is taken from; `d` is a row of the view `documents_search`. */
export interface DocumentSource {
  /** What `d` is joined with. */
  readonly join: string;
  readonly condition: string;
  /** A row with the `document_id` and `created_at` of `d`, in whose order documents can be found, too. */
  readonly ordered: string | null;
}

/**
 * {@link visibleDocuments} as the keys (`sort_key`, `id`) of one page, for searching. Without `files.read` the condition
 * cannot be looked up, only tried on every document. So each grant, the caller's own documents and the caller's places
 * on confidentiality lists are a list each, which an index has in order of creation; the page is made of the tops of the
 * lists (docs/adr/0016).
 *
 * @param page the page of a source: a SELECT of `sort_key` and `id`, ordered, limited, and without repetitions
 * @param top ORDER BY and LIMIT of the page
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

/** For reading: in the bin, only those see a document who can put it there or bring it back. */
export function binCondition(caller: Caller, alias: string): string {
  return caller.has('documents.delete') || caller.has('documents.restore')
    ? 'true'
    : `${alias}.status <> 'Deleted'`;
}

/** Documents that the caller sees and can read. */
export function readableDocuments(caller: Caller, alias: string, bind: Bind): string {
  return `(${visibleDocuments(caller, alias, bind)} AND ${binCondition(caller, alias)})`;
}
