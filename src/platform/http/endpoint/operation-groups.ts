/** In the order of the documentation page. */
export const OPERATION_GROUPS = {
  Files: 'Numbered containers for documents. A file is open or closed; a closed file cannot be changed.',
  Documents:
    'Documents with values and content. A document can be in any number of files; it can be archived, moved to the bin, restored and searched.',
  'File types': 'Categories of files.',
  'Document types': 'Categories of documents. Each defines the typed fields of its documents.',
  Tags: 'Labels for documents.',
  'Saved views': 'Named document filters of a user. Only that user can see them.',
  Confidentiality: 'Confidential documents. Only users on the access list of such a document can see it.',
  Me: 'The tenants of the caller, and the role and permissions of the caller in each.',
  Notifications: 'Messages to the caller about events in the tenant.',
  Members: 'The users of the tenant. Each has one role.',
  Roles: 'Named lists of permissions. Built-in roles cannot be changed.',
  Invitations: 'Invitations to become a member of the tenant, each for one e-mail address.',
  'Access grants': 'Access to files for a member or a role, in addition to the permissions of the role.',
  Access: 'Who can read a file or a document, and why.',
  Retention: 'How long the files of a type are kept, until when a file must be kept, and whether it is held.',
  Holds:
    'Holds keep files and documents: what an active hold contains cannot be deleted, unfiled or changed.',
  Disposals:
    'Lists of due files that are destroyed, transferred or kept together, after the approval of another person.',
  'Audit log': 'Every change, with the user who made it and the time. Entries cannot be changed or deleted.',
  Exports:
    'Packages of files and documents with all their versions and data, to keep or to read without the service.',
  Webhooks:
    'URLs to which the service sends events of the tenant, signed by Standard Webhooks. The section Webhooks describes the requests.',
  Events: 'The event log: all changes in the tenant in one order, for programs that follow them.',
  Settings: 'The slug of the tenant, which is part of every path.',
  Service: 'Operations without a tenant. They need no token.',
} as const;

export type OperationGroup = keyof typeof OPERATION_GROUPS;
