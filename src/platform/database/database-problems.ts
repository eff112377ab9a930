import { Problem, invalidValue, notFound, unavailable } from '../../common/problem.js';

/**
 * Named constraints and what breaking them means to a client. The database decides (no check-then-write);
 * this table is where its decision becomes an answer. A constraint that is not here is a defect: 500.
 */
export const CONSTRAINT_PROBLEMS: Readonly<Record<string, () => Problem>> = {
  uq_files_tenant_number: () => new Problem('file.number-taken'),
  fk_files_file_type: () => invalidValue('fileTypeId', 'reference.file-type'),
  fk_document_files_file: () => new Problem('file.not-empty'),
  uq_file_types_tenant_key: () => new Problem('file-type.key-taken'),
  uq_document_types_tenant_key: () => new Problem('document-type.key-taken'),
  fk_documents_type: () => invalidValue('documentTypeId', 'reference.document-type'),
  uq_tags_tenant_name: () => new Problem('tag.name-taken'),
  fk_document_tags_tag: () => invalidValue('tagIds', 'reference.tag'),
  uq_saved_views_owner_name: () => new Problem('saved-view.name-taken'),
  fk_saved_views_owner: () => new Problem('tenant.no-access'),
  uq_roles_tenant_name: () => new Problem('role.name-taken'),
  fk_members_role: () => new Problem('role.in-use'),
  fk_expected_members_role: () => new Problem('role.in-use'),
  fk_invitations_role: () => new Problem('role.in-use'),
  fk_document_confidential_users_member: notFound,
  pk_members: () => new Problem('member.exists'),
  uq_invitations_pending_email: () => new Problem('invitation.exists'),
};

/** SQLSTATE classes and codes that mean "not now": connection lost, shutting down, out of resources, timeouts. */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|55P03|25P03|40001|40P01)$/;
/** The same from Node: no way to the database, no name for it, or its Unix socket is not there. */
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
const POOL_UNAVAILABLE =
  /timeout exceeded when trying to connect|Connection terminated|Cannot use a pool after|not queryable|has encountered a connection error/;

interface DatabaseErrorFields {
  code?: string;
  constraint?: string;
  message?: string;
  /** Of the server's source, where the error was raised; messages are in its language. */
  routine?: string;
}

/**
 * The server does not run a prepared statement any more: its columns have changed ("cached plan must not change result
 * type", as after a migration by a newer instance), or it does not know it. Prepared anew, it will.
 */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as DatabaseErrorFields;
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/** A deadlock, a serialization failure, a stale plan: the transaction did nothing and may be run again. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as DatabaseErrorFields;
  return code === '40P01' || code === '40001' || isStalePlan(error);
}

/** Turns a fault of the database into the problem that it means; null when it is none that a client can cause. */
export function databaseProblem(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  const { code = '', constraint, message } = error as DatabaseErrorFields;
  const known = constraint ? CONSTRAINT_PROBLEMS[constraint] : undefined;
  if (known && code.startsWith('23')) return known();
  if (UNAVAILABLE.test(code) || NODE_UNAVAILABLE.has(code) || POOL_UNAVAILABLE.test(message ?? '')) {
    return unavailable(2, { cause: error });
  }
  return null;
}
