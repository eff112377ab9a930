import { Problem, invalidValue, notFound, unavailable } from '../../common/problem.js';

/**
 * The problem that a request gets when it violates a constraint, by constraint name. Code relies on the constraint
 * instead of checking before it writes, which would be a race. A violated constraint without an entry is a defect
 * (500).
 */
export const CONSTRAINT_PROBLEMS: Readonly<Record<string, () => Problem>> = {
  fk_files_file_type: () => invalidValue('fileTypeId', 'reference.file-type'),
  fk_document_files_file: () => new Problem('file.not-empty'),
  uq_file_types_tenant_key: () => new Problem('file-type.key-taken'),
  uq_document_types_tenant_key: () => new Problem('document-type.key-taken'),
  fk_documents_type: () => invalidValue('documentTypeId', 'reference.document-type'),
  uq_tags_tenant_name: () => new Problem('tag.name-taken'),
  fk_document_tags_tag: () => invalidValue('tagIds', 'reference.tag'),
  uq_saved_views_owner_name: () => new Problem('saved-view.name-taken'),
  fk_saved_views_owner: () => new Problem('tenant.no-access'),
  fk_notification_preferences_member: () => new Problem('tenant.no-access'),
  uq_roles_tenant_name: () => new Problem('role.name-taken'),
  fk_members_role: () => new Problem('role.in-use'),
  fk_expected_members_role: () => new Problem('role.in-use'),
  fk_invitations_role: () => new Problem('role.in-use'),
  fk_document_confidential_users_member: notFound,
  pk_members: () => new Problem('member.exists'),
  uq_invitations_pending_email: () => new Problem('invitation.exists'),
};

/** SQLSTATE of a write on a server that only reads: a standby, or one with `default_transaction_read_only`. */
export const READ_ONLY = '25006';

/** SQLSTATE of the statement that checks the condition of a change. */
const DIVISION_BY_ZERO = '22012';

/**
 * SQLSTATE codes of temporary errors and of those that the operator ends: connection lost, all errors of PgBouncer
 * (08P01), login refused, no such database, read-only, shutdown, out of resources, error of the file system, timeout,
 * prepared statements that a pooler has lost. They become 503 (docs/operations.md).
 */
const UNAVAILABLE = /^(08...|25006|28...|3D000|53...|57P0.|57014|58...|55P03|25P03|26000|42P05|40001|40P01)$/;
/**
 * Functions of PostgreSQL that report a missing privilege, or a database that takes no connections. Not the one that
 * reports a violated policy of row-level security, which has the same SQLSTATE (42501) and is a defect.
 */
const REFUSING = new Set(['aclcheck_error', 'CheckMyDatabase']);
/** Temporary errors reported by Node: the database is unreachable, its name unknown, or its Unix socket missing. */
const NODE_UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** Functions of Citus that report the loss of a worker during a transaction, without a SQLSTATE of their own. */
const WORKER_LOST = new Set([
  'CheckRemoteTransactionsHealth',
  'ErrorIfPostCommitFailedShardPlacements',
  'MarkRemoteTransactionFailed',
]);
const POOL_UNAVAILABLE =
  /timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after|not queryable|has encountered a connection error/;

interface DatabaseErrorFields {
  code?: string;
  constraint?: string;
  table?: string;
  message?: string;
  /** Translated by PostgreSQL, not by PgBouncer. */
  severity?: string;
  /** Function in the server's source code that raised the error. Unlike the message, it is not translated. */
  routine?: string;
}

/**
 * The server rejects a prepared statement: its columns have changed ("cached plan must not change result type", for
 * example after a migration by a newer instance), or a pooler has exchanged the server's connection, on which the
 * statement does not exist (26000) or already exists (42P05). Preparing it again helps.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as DatabaseErrorFields;
  return code === '26000' || code === '42P05' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/** After the error, the connection cannot be used: the server or a pooler closes it, or the protocol has failed. */
export function isConnectionBroken(error: unknown): boolean {
  const { code, severity } = error as DatabaseErrorFields;
  return !code || severity === 'FATAL';
}

/**
 * Citus has planned the statement for a shard that a split or a move has removed since. Planning it again helps. Most such
 * statements Citus plans again itself, or ends with 40001.
 */
function isShardRemoved({ code, message = '', routine }: DatabaseErrorFields): boolean {
  return (
    routine === 'LookupShardIdCacheEntry' || (code === '42P01' && /_\d{6,}" does not exist/.test(message))
  );
}

/**
 * A deadlock, a serialization failure, a stale plan or a removed shard: the transaction was rolled back and can be run again.
 */
export function isRetryable(error: unknown): boolean {
  const { code } = error as DatabaseErrorFields;
  return (
    code === '40P01' || code === '40001' || isStalePlan(error) || isShardRemoved(error as DatabaseErrorFields)
  );
}

/** A constraint, or the condition of `UnitOfWork.writeAtOnce`, refuses the change. */
export function isViolation(error: unknown): boolean {
  const { code = '' } = error as DatabaseErrorFields;
  return code.startsWith('23') || code === DIVISION_BY_ZERO;
}

/**
 * Citus passes on only the message of a shard's error. Takes the names of table and constraint from it, which end with the
 * number of the shard there.
 */
export function restoreNames(error: DatabaseErrorFields): void {
  if (!error.code?.startsWith('23') || error.constraint !== undefined) return;
  const constraint = /constraint "(\w+?)_\d+"/.exec(error.message ?? '')?.[1];
  const table = /(?:relation|table) "(\w+?)_\d+"/.exec(error.message ?? '')?.[1];
  if (constraint !== undefined) error.constraint = constraint;
  if (table !== undefined) error.table = table;
}

/**
 * A server or a node of the cluster cannot be reached, shuts down or only reads: the transaction was rolled back and can be
 * run again when it is back. Not the crash of a server, which the statement itself can have caused.
 */
export function isServerAway(error: unknown): boolean {
  const { code = '', routine = '' } = error as DatabaseErrorFields;
  return /^(08...|57P01|57P03)$/.test(code) || code === READ_ONLY || WORKER_LOST.has(routine);
}

/** The problem for a database error: a violated constraint or a temporary failure (503); null for any other error. */
export function databaseProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const { code = '', constraint, message, routine = '' } = error as DatabaseErrorFields;
  if (code.startsWith('23')) {
    const known = CONSTRAINT_PROBLEMS[constraint ?? ''];
    if (known) return known();
  }
  const isTemporary =
    UNAVAILABLE.test(code) ||
    NODE_UNAVAILABLE.has(code) ||
    WORKER_LOST.has(routine) ||
    REFUSING.has(routine) ||
    isShardRemoved(error) ||
    POOL_UNAVAILABLE.test(message ?? '');
  return isTemporary ? unavailable(2, { cause: error }) : null;
}
