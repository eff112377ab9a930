import { type Bind } from '../../platform/database/sql-parameters.js';
import { type Caller } from '../../platform/tenancy/access/caller.js';
import { type Viewer } from '../../platform/tenancy/access/viewer.js';
import {
  activeGrant,
  binCondition,
  grantOn,
  notConfidentialToOthers,
  openDocuments,
  readableDocuments,
  visibleFiles,
  writableDocuments,
  writableFiles,
} from '../../platform/tenancy/access/visibility.js';

export const MISSING_CONDITIONS = ['NotPermitted', 'NoGrant', 'NotOnConfidentialityList', 'InBin'] as const;
export type MissingCondition = (typeof MISSING_CONDITIONS)[number];

/**
 * SQL about a file or a document: the row `t`. In statements, `$1` is the tenant and `$2` the id of the row. The
 * conditions about a viewer are those that decide in requests.
 */
export interface AccessConditions {
  /** SELECT of `t`, if the caller may ask who can see it. */
  readonly subject: (caller: Caller, bind: Bind) => string;
  /** SELECT of the active grants that cover `t`, with `file_id`: a file that the caller sees, or null. */
  readonly grants: (caller: Caller, bind: Bind) => string;
  /** Whether a grant suffices to see `t`. */
  readonly isGrantable: string;
  /** SELECT of `user_id` of members who may read `t` for other reasons than their role and grants. */
  readonly users?: string;
  readonly canRead: (viewer: Viewer, bind: Bind) => string;
  readonly canWrite: (viewer: Viewer, bind: Bind) => string;
  /** Conditions that must all be false, so that a viewer can read `t`. */
  readonly missing: (viewer: Viewer, bind: Bind) => Partial<Record<MissingCondition, string>>;
  /** Conditions of the reasons besides grants, for a viewer who can read `t`. */
  readonly reasons: (viewer: Viewer, bind: Bind) => Partial<Record<RowReasonKind, string>>;
}

type RowReasonKind = 'Role' | 'ConfidentialityList' | 'Creator';

export const FILE_CONDITIONS: AccessConditions = {
  subject: (caller, bind) =>
    `SELECT t.id, t.file_type_id FROM files t
      WHERE t.tenant_id = $1 AND t.id = $2 AND ${caller.has('auditLog.read') ? 'true' : visibleFiles(caller, 't', bind)}`,
  grants: (caller, bind) =>
    `SELECT g.*, CASE WHEN ${visibleFiles(caller, 't', bind)} THEN t.id END AS file_id
       FROM subject t JOIN access_grants g ON ${grantOn('t')} WHERE ${activeGrant(caller, bind)}`,
  isGrantable: 'true',
  canRead: (viewer, bind) => visibleFiles(viewer, 't', bind),
  canWrite: (viewer, bind) => writableFiles(viewer, 't', bind),
  missing: (viewer, bind) => ({ NoGrant: `NOT ${visibleFiles(viewer, 't', bind)}` }),
  reasons: (viewer) => ({ Role: viewer.hasSql('files.read') }),
};

export const DOCUMENT_CONDITIONS: AccessConditions = {
  subject: (caller, bind) => {
    const readable = readableDocuments(caller, 't', bind);
    return `SELECT t.id, t.status, t.is_confidential, t.created_by FROM documents t
      WHERE t.tenant_id = $1 AND t.id = $2
        AND ${caller.has('auditLog.read') ? `(NOT t.is_confidential OR ${readable})` : readable}`;
  },
  // One row for each grant, because rows for hidden files would reveal their number.
  grants: (caller, bind) =>
    `SELECT DISTINCT ON (g.id) g.*, CASE WHEN ${visibleFiles(caller, 'f', bind)} THEN f.id END AS file_id
       FROM subject t
       JOIN document_files df ON df.tenant_id = $1 AND df.document_id = t.id
       JOIN files f ON f.tenant_id = $1 AND f.id = df.file_id
       JOIN access_grants g ON ${grantOn('f')}
      WHERE ${activeGrant(caller, bind)}
      ORDER BY g.id, file_id`,
  isGrantable: 'NOT t.is_confidential',
  users: `SELECT t.created_by AS user_id FROM subject t
    UNION SELECT c.user_id FROM document_confidential_users c WHERE c.tenant_id = $1 AND c.document_id = $2`,
  canRead: (viewer, bind) => readableDocuments(viewer, 't', bind),
  canWrite: (viewer, bind) => writableDocuments(viewer, 't', bind),
  missing: (viewer, bind) => ({
    NotPermitted: `NOT ${viewer.hasSql('documents.read')}`,
    NoGrant: `NOT (t.is_confidential OR ${openDocuments(viewer, 't', bind)})`,
    NotOnConfidentialityList: `NOT ${notConfidentialToOthers(viewer, 't', bind)}`,
    InBin: `NOT ${binCondition(viewer, 't')}`,
  }),
  reasons: (viewer, bind) => ({
    Role: `NOT t.is_confidential AND ${viewer.hasSql('files.read')}`,
    ConfidentialityList: 't.is_confidential',
    Creator: `NOT t.is_confidential AND t.created_by = ${viewer.userSql(bind)}`,
  }),
};
