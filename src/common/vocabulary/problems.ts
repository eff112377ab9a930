/** One kind of problem (RFC 9457): what `type` names and `/problems/{code}` explains. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What it means, said when the place that reports it has nothing more precise to say. */
  readonly detail: string;
}

/** Every problem the service answers with. Adding one is adding a line here. */
export const PROBLEMS = {
  'request.invalid': {
    status: 400,
    title: 'The request is not valid',
    detail: 'Some values of the request cannot be accepted; errors names each of them.',
  },
  'request.malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    detail: 'The body is not well-formed JSON in UTF-8, or is nested too deeply.',
  },
  'request.malformed-http': {
    status: 400,
    title: 'Not an HTTP request',
    detail: 'The request does not follow HTTP.',
  },
  'request.idempotency-key-reused': {
    status: 400,
    title: 'Idempotency key reused',
    detail: 'This Idempotency-Key was used for another request within the last 24 hours.',
  },
  'authentication.required': {
    status: 401,
    title: 'Authentication required',
    detail: 'Send a valid access token as a bearer token.',
  },
  'tenant.no-access': {
    status: 403,
    title: 'No access to this tenant',
    detail: 'There is no such tenant, or the caller is not a member of it.',
  },
  'permission.missing': {
    status: 403,
    title: 'Permission missing',
    detail: 'The role of the caller does not allow this operation.',
  },
  'permission.escalation': {
    status: 403,
    title: 'More than the caller holds',
    detail: 'Nobody can give, change or take away rights that they do not hold themselves.',
  },
  'route.not-found': { status: 404, title: 'No such route', detail: 'There is nothing at this path.' },
  'resource.not-found': {
    status: 404,
    title: 'Not found',
    detail: 'There is no such thing, or the caller cannot see it.',
  },
  'route.method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not take this method; the Allow header names those that it takes.',
  },
  'request.not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    detail: 'The answer is not to be had in a form that the Accept header allows.',
  },
  'request.idempotency-conflict': {
    status: 409,
    title: 'Idempotency key reused',
    detail: 'This Idempotency-Key was used for another request within the last 24 hours.',
  },
  'file.number-taken': {
    status: 409,
    title: 'File number taken',
    detail: 'Another file of the tenant has this number.',
  },
  'file.already-closed': { status: 409, title: 'File already closed', detail: 'The file is closed already.' },
  'file.already-open': { status: 409, title: 'File already open', detail: 'The file is open already.' },
  'file.closed': {
    status: 409,
    title: 'File closed',
    detail: 'A document in a closed file stays as it is, and nothing is filed into it or taken out of it.',
  },
  'file.documents-processing': {
    status: 409,
    title: 'Documents are being processed',
    detail: 'A file is not closed while one of its documents is being processed.',
  },
  'file.not-empty': {
    status: 409,
    title: 'File not empty',
    detail: 'Only an open file without documents, those in the bin included, can be deleted.',
  },
  'file-type.key-taken': {
    status: 409,
    title: 'File type key taken',
    detail: 'Another file type of the tenant has this key.',
  },
  'document-type.key-taken': {
    status: 409,
    title: 'Document type key taken',
    detail: 'Another document type of the tenant has this key.',
  },
  'document.processing': {
    status: 409,
    title: 'Document being processed',
    detail: 'The document is still being processed.',
  },
  'document.archived': {
    status: 409,
    title: 'Document archived',
    detail: 'An archived document is not edited or tagged.',
  },
  'document.not-archived': {
    status: 409,
    title: 'Document not archived',
    detail: 'The document is not archived.',
  },
  'document.deleted': {
    status: 409,
    title: 'Document in the bin',
    detail: 'A document in the bin can only be restored.',
  },
  'document.not-deleted': {
    status: 409,
    title: 'Document not in the bin',
    detail: 'The document is not in the bin.',
  },
  'document.too-many-links': {
    status: 409,
    title: 'Too many tags or files',
    detail: 'A document has at most 1,000 tags, and is in at most 1,000 files.',
  },
  'document.without-content': {
    status: 404,
    title: 'Document without content',
    detail: 'The document has no content.',
  },
  'document.not-confidential': {
    status: 409,
    title: 'Document not confidential',
    detail: 'The document is not confidential.',
  },
  'confidentiality.last-user': {
    status: 409,
    title: 'Last user of the list',
    detail: 'The last user cannot be taken off the list of a confidential document.',
  },
  'tag.name-taken': {
    status: 409,
    title: 'Tag name taken',
    detail: 'Another tag of the tenant has this name.',
  },
  'saved-view.name-taken': {
    status: 409,
    title: 'Saved view name taken',
    detail: 'The caller has another saved view with this name.',
  },
  'saved-view.too-many': {
    status: 409,
    title: 'Too many saved views',
    detail: 'Nobody can keep more than 500 saved views.',
  },
  'saved-view.too-large': {
    status: 409,
    title: 'Saved views too large',
    detail: 'The filters of a user’s saved views have at most 2 MiB together.',
  },
  'role.name-taken': {
    status: 409,
    title: 'Role name taken',
    detail: 'Another role of the tenant has this name.',
  },
  'role.built-in': {
    status: 409,
    title: 'Built-in role',
    detail: 'Built-in roles can be neither changed nor deleted.',
  },
  'role.in-use': {
    status: 409,
    title: 'Role in use',
    detail: 'A role that members or pending invitations have cannot be deleted.',
  },
  'member.last-administrator': {
    status: 409,
    title: 'Last administrator',
    detail: 'The last member who can manage both roles and members cannot lose that.',
  },
  'member.exists': {
    status: 409,
    title: 'Already a member',
    detail: 'This user is a member of the tenant already.',
  },
  'invitation.exists': {
    status: 409,
    title: 'Already invited',
    detail: 'There is a pending invitation for this address, or a member has it.',
  },
  'invitation.ended': {
    status: 409,
    title: 'Invitation ended',
    detail: 'Only a pending invitation can be revoked.',
  },
  'access-grant.ended': {
    status: 409,
    title: 'Grant ended',
    detail: 'The grant has expired or was revoked already.',
  },
  'tenant.slug-unavailable': {
    status: 409,
    title: 'Slug unavailable',
    detail: 'This slug cannot be used: it is malformed, reserved, or taken.',
  },
  'request.precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    detail: 'The resource has changed since the entity tag in If-Match was read.',
  },
  'request.too-large': {
    status: 413,
    title: 'Request too large',
    detail: 'The body is larger than is accepted.',
  },
  'request.unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    detail: 'The body is not of a media type that this operation takes.',
  },
  'content.range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    detail: 'The content does not have the requested range.',
  },
  'request.rate-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many requests; the Retry-After header says in how many seconds to try again.',
  },
  'request.headers-too-large': {
    status: 431,
    title: 'Header fields too large',
    detail: 'The header fields of the request are larger than is accepted.',
  },
  'service.error': {
    status: 500,
    title: 'Internal error',
    detail: 'The service failed to answer; the request id finds the cause in its log.',
  },
  'service.unavailable': {
    status: 503,
    title: 'Service unavailable',
    detail: 'The service cannot answer now; try again after the seconds that Retry-After names.',
  },
  'content.storage-full': {
    status: 507,
    title: 'Storage full',
    detail: 'There is no room to store the content.',
  },
  'content.quota-exceeded': {
    status: 507,
    title: 'Storage quota exceeded',
    detail: 'The tenant has used up its storage.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export const ALL_PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

export function isProblemCode(value: string): value is ProblemCode {
  return Object.hasOwn(PROBLEMS, value);
}
