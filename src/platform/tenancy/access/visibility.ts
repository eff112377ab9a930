import { byKey } from '../../database/paging/by-key.js';
import { type Position } from '../../database/paging/cursor-codec.js';
import {
  CREATED_AT,
  type ListOrder,
  isAfterSql,
  keySql,
  orderSql,
} from '../../database/paging/list-order.js';
import { type Bind } from '../../database/sql-parameters.js';
import { type Caller } from './caller.js';
import { type Viewer } from './viewer.js';

// SQL conditions for the files and documents that a viewer can see: the caller of a request, or members in the rows of a
// query. Every query that returns files or documents must use one.

/** `known OR other`, without what a known permission makes superfluous. */
function either(known: string, other: () => string): string {
  if (known === 'true') return known;
  return known === 'false' ? other() : `(${known} OR ${other()})`;
}

/** `known AND other`, in the same way. */
function both(known: string, other: () => string): string {
  if (known === 'false') return known;
  return known === 'true' ? other() : `(${known} AND ${other()})`;
}

/**
 * An active grant `g` of any subject. The database's clock decides whether it has expired. `expired_at` is only needed for
 * the indexes of active grants.
 */
export function activeGrant(viewer: Viewer, bind: Bind): string {
  return `g.tenant_id = ${viewer.tenantSql(bind)} AND g.revoked_at IS NULL AND g.expired_at IS NULL
    AND (g.expires_at IS NULL OR g.expires_at > now())`;
}

/** A grant `g` that covers a row of `files`. */
export function grantOn(alias: string): string {
  return `((g.target_type = 'File' AND g.target_id = ${alias}.id)
      OR (g.target_type = 'FileType' AND g.target_id = ${alias}.file_type_id))`;
}

/** A grant `g` of the viewer that is active. */
function liveGrant(viewer: Viewer, bind: Bind): string {
  return `${activeGrant(viewer, bind)}
    AND ${viewer.holdsSql(bind)}`;
}

/** Files that a grant of the viewer covers, regardless of the role's permissions. */
export function grantedFiles(
  viewer: Viewer,
  alias: string,
  bind: Bind,
  level: 'Read' | 'Write' = 'Read',
): string {
  if (viewer.isGranted && level === 'Read') return 'true';
  const enough = level === 'Write' ? ` AND g.level = 'Write'` : '';
  return `EXISTS (SELECT FROM ${viewer.grants} g WHERE ${liveGrant(viewer, bind)}${enough}
    AND ${grantOn(alias)})`;
}

/** Whether a grant of the caller covers all files of a type. `typeId` is an SQL expression. */
export function grantedFileType(caller: Caller, typeId: string, bind: Bind): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, bind)}
    AND g.target_type = 'FileType' AND g.target_id = ${typeId})`;
}

export function anyGrant(caller: Caller, bind: Bind, level: 'Read' | 'Write' = 'Read'): string {
  return `EXISTS (SELECT FROM access_grants g WHERE ${liveGrant(caller, bind)}${level === 'Write' ? ` AND g.level = 'Write'` : ''})`;
}

/** Files that the viewer can see: all with `files.read`, otherwise the granted ones. `alias` is a row of `files`. */
export function visibleFiles(viewer: Viewer, alias: string, bind: Bind): string {
  return either(viewer.hasSql('files.read'), () => grantedFiles(viewer, alias, bind));
}

/** Visible files that the viewer can rename. */
export function writableFiles(viewer: Viewer, alias: string, bind: Bind): string {
  const granted = () => grantedFiles(viewer, alias, bind, 'Write');
  return `(${visibleFiles(viewer, alias, bind)} AND ${either(viewer.hasSql('files.update'), granted)})`;
}

/** A list of files `f` of the tenant `$1`, in the order of a column and their ids. */
export interface FileList {
  /** Selected columns: `id`, the one of the order by the name of its key, and others. */
  readonly columns: string;
  /** `files`, or its view for searches. */
  readonly from: string;
  readonly conditions: readonly string[];
  readonly order: ListOrder;
  readonly after: Position | null;
  /** Placeholder. */
  readonly limit: string;
}

/**
 * {@link visibleFiles} as one page of files. The condition for grants cannot use an index: PostgreSQL would test it for
 * every file of the tenant. So each granted file is looked up by its key. Grants on files have the times of creation of
 * their files: in this order, files are only looked up until the page is full. For each granted file type, an index
 * returns a page in order. The page consists of the first rows of these queries.
 */
export function visibleFilePage(caller: Caller, bind: Bind, list: FileList): string {
  const { columns, from, order, after, limit } = list;
  const conditions = [...list.conditions, ...(after ? [isAfterSql(order, 'f', 'id', after, bind)] : [])];
  const keys = [keySql(order, 'f'), 'f.id'];
  const top = (sorted: readonly string[]) => `${orderSql(order, sorted)} LIMIT ${limit}`;
  const page = (condition: string) =>
    `SELECT ${columns} FROM ${from} f
        WHERE ${['f.tenant_id = $1', ...conditions, condition].join(' AND ')}
        ${top(keys)}`;
  if (caller.has('files.read')) return page('true');
  const grantsOn = (targetType: 'File' | 'FileType') =>
    `${liveGrant(caller, bind)} AND g.target_type = '${targetType}'`;

  const isByCreation = order.column === CREATED_AT.column;
  const targets = ['g.target_created_at', 'g.target_id'];
  const ofTargets = { ...order, column: 'target_created_at' };
  const isAfter = isByCreation && after ? `AND ${isAfterSql(ofTargets, 'g', 'target_id', after, bind)}` : '';
  const lookUp = byKey(from, 'f', 'g.target_id', { condition: conditions.join(' AND ') || 'true' });
  // Users and their roles can have grants on the same file.
  const files = `SELECT ${columns}
    FROM (SELECT DISTINCT ${targets.join(', ')} FROM access_grants g WHERE ${grantsOn('File')} ${isAfter}
           ${isByCreation ? orderSql(order, targets) : ''}) g ${lookUp} ${top(isByCreation ? targets : keys)}`;
  const ofTypes = `SELECT top.* FROM access_grants g
    CROSS JOIN LATERAL (${page('f.file_type_id = g.target_id')}) top WHERE ${grantsOn('FileType')}`;
  const listed = [keySql({ ...order, column: `"${order.key}"` }, 'visible'), 'visible.id'];
  return `SELECT DISTINCT ON (${listed.join(', ')}) visible.*
            FROM ((${files}) UNION ALL ${ofTypes}) visible ${top(listed)}`;
}

/** Only users on its list can see a confidential document, regardless of roles and grants. */
export function notConfidentialToOthers(viewer: Viewer, alias: string, bind: Bind): string {
  return `(NOT ${alias}.is_confidential OR EXISTS (SELECT FROM document_confidential_users c
    WHERE c.tenant_id = ${viewer.tenantSql(bind)} AND c.document_id = ${alias}.id AND c.user_id = ${viewer.userSql(bind)}))`;
}

/**
 * Documents that the viewer can see: none without `documents.read`. A confidential document is visible if the viewer
 * is on its list. Any other document is visible with `files.read`, if it is in a visible file, or if the viewer
 * created it. `alias` is a row of `documents`. The condition includes documents in the bin; {@link readableDocuments}
 * is without them for viewers who cannot see the bin.
 */
export function visibleDocuments(viewer: Viewer, alias: string, bind: Bind): string {
  return both(viewer.hasSql('documents.read'), () => {
    const open = notConfidentialToOthers(viewer, alias, bind);
    if (viewer.hasSql('files.read') === 'true') return open;
    return `(${open} AND (${alias}.is_confidential OR ${openDocuments(viewer, alias, bind)}))`;
  });
}

/** The part of {@link visibleDocuments} about documents that are not confidential. An operand of OR. */
export function openDocuments(viewer: Viewer, alias: string, bind: Bind): string {
  return either(
    viewer.hasSql('files.read'),
    () => `${alias}.created_by = ${viewer.userSql(bind)} OR ${documentsInGrantedFiles(viewer, alias, bind)}`,
  );
}

function documentsInGrantedFiles(
  viewer: Viewer,
  alias: string,
  bind: Bind,
  level: 'Read' | 'Write' = 'Read',
): string {
  if (viewer.isGranted && level === 'Read') return 'true';
  return `EXISTS (
    SELECT FROM document_files vdf JOIN files vf ON vf.tenant_id = vdf.tenant_id AND vf.id = vdf.file_id
     WHERE vdf.tenant_id = ${viewer.tenantSql(bind)} AND vf.tenant_id = ${viewer.tenantSql(bind)}
       AND vdf.document_id = ${alias}.id AND ${grantedFiles(viewer, 'vf', bind, level)})`;
}

/**
 * {@link visibleDocuments} for statements that check many documents. Reads the caller's grants once, not for each
 * document: callers can have a thousand. `OFFSET 0` keeps PostgreSQL from reading the links of all documents.
 */
export function visibleDocumentsOfMany(caller: Caller, alias: string, bind: Bind): string {
  if (!caller.has('documents.read') || caller.has('files.read')) return visibleDocuments(caller, alias, bind);
  const targets = (type: 'File' | 'FileType') => `(SELECT g.target_id FROM access_grants g
      WHERE ${liveGrant(caller, bind)} AND g.target_type = '${type}')`;
  return `(${notConfidentialToOthers(caller, alias, bind)} AND (${alias}.is_confidential
    OR ${alias}.created_by = ${bind(caller.user.id)} OR EXISTS (
    SELECT FROM document_files_search vdf
     WHERE vdf.tenant_id = ${bind(caller.tenantId)} AND vdf.document_id = ${alias}.id
       AND (vdf.file_id IN ${targets('File')} OR vdf.file_type_id IN ${targets('FileType')}) OFFSET 0)))`;
}

/** Rows `t` with `tenant_id`, `document_id` and `created_at` of documents. */
export interface ReachedRows {
  /** FROM item. */
  readonly from: string;
  readonly condition: string;
}

/**
 * The documents that a caller without `files.read` can see, and confidential ones in granted files, some of them several
 * times: as rows of indexes, without the documents themselves. An operand of FROM.
 *
 * @param keys Query for keys of the given rows; may order and limit them.
 */
export function reachedDocuments(caller: Caller, bind: Bind, keys: (rows: ReachedRows) => string): string {
  const tenant = `t.tenant_id = ${bind(caller.tenantId)}`;
  const ofUser = (column: string) => `${tenant} AND t.${column} = ${bind(caller.user.id)}`;
  const granted = (targetType: 'File' | 'FileType', column: 'file_id' | 'file_type_id') => {
    const rows = { from: 'document_files_search t', condition: `${tenant} AND t.${column} = g.target_id` };
    return `SELECT reached.* FROM access_grants g CROSS JOIN LATERAL (${keys(rows)}) reached
             WHERE ${liveGrant(caller, bind)} AND g.target_type = '${targetType}'`;
  };
  const own = '(SELECT tenant_id, id AS document_id, created_at, created_by FROM documents_search) t';
  const listed = `(SELECT tenant_id, user_id, document_id, document_created_at AS created_at
                     FROM document_confidential_users) t`;
  return `((${keys({ from: own, condition: ofUser('created_by') })})
    UNION ALL (${keys({ from: listed, condition: ofUser('user_id') })})
    UNION ALL (${granted('File', 'file_id')}) UNION ALL (${granted('FileType', 'file_type_id')}))`;
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
 * {@link visibleDocuments} as the keys (`sort_key`, further ones, `id`) of one page, for searches. Without `files.read` the
 * condition cannot use an index: PostgreSQL would test it for every document. So there is one query for each grant, one
 * for the caller's own documents, and one for documents that list the caller as confidential user. An index returns each
 * in the order of creation. The page consists of the first rows of these queries (docs/adr/0016).
 *
 * @param page Query for a page of a source: selects the keys, ordered, limited, without duplicates.
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
    return `SELECT top.* FROM access_grants g
             CROSS JOIN LATERAL (${page({ join, condition, ordered: 'gf' })}) top
             WHERE ${liveGrant(caller, bind)} AND g.target_type = '${targetType}'`;
  };
  const own = page({ ...plain, condition: `${open} AND d.created_by = ${bind(caller.user.id)}` });
  const listed = page({
    join: `JOIN (SELECT tenant_id, user_id, document_id, document_created_at AS created_at
                   FROM document_confidential_users) c
      ON c.tenant_id = d.tenant_id AND c.document_id = d.id AND c.created_at = d.created_at`,
    condition: `d.is_confidential AND c.tenant_id = ${bind(caller.tenantId)} AND c.user_id = ${bind(caller.user.id)}`,
    ordered: 'c',
  });
  return `SELECT DISTINCT visible.*
            FROM ((${own}) UNION ALL (${listed})
              UNION ALL ${granted('File', 'file_id')} UNION ALL ${granted('FileType', 'file_type_id')}) visible
           ${top}`;
}

/** Hides documents in the bin from viewers who can neither delete nor restore documents. */
export function binCondition(viewer: Viewer, alias: string): string {
  return either(viewer.hasSql('documents.delete'), () =>
    either(viewer.hasSql('documents.restore'), () => `${alias}.status <> 'Deleted'`),
  );
}

export function readableDocuments(viewer: Viewer, alias: string, bind: Bind): string {
  return `(${visibleDocuments(viewer, alias, bind)} AND ${binCondition(viewer, alias)})`;
}

/** Readable documents for which the viewer has `documents.update`, whatever the status of document and files. */
export function writableDocuments(viewer: Viewer, alias: string, bind: Bind): string {
  const granted = () => documentsInGrantedFiles(viewer, alias, bind, 'Write');
  return `(${readableDocuments(viewer, alias, bind)} AND ${either(viewer.hasSql('documents.update'), granted)})`;
}
