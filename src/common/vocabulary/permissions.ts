/** All permissions with the descriptions that `GET /permissions` returns. */
export const PERMISSIONS = {
  'files.read': 'See all files',
  'files.create': 'Open new files',
  'files.update': 'Rename files',
  'files.close': 'Close files',
  'files.reopen': 'Reopen closed files',
  'files.delete': 'Delete empty open files',
  'fileTypes.read': 'See file types',
  'fileTypes.manage': 'Create and rename file types',
  'documents.read': 'See documents in visible files',
  'documents.create': 'Create documents',
  'documents.update': 'Edit and tag documents',
  'documents.file': 'File documents into files and take them out',
  'documents.archive': 'Archive and unarchive documents',
  'documents.delete': 'Move documents to the bin',
  'documents.restore': 'Restore documents from the bin',
  'documents.confidential.manage':
    'Change the confidentiality of documents and the lists of users who can see them',
  'documentTypes.read': 'See document types',
  'documentTypes.manage': 'Create, change, deactivate and reactivate document types',
  'tags.read': 'See tags',
  'tags.manage': 'Create, rename and delete tags',
  'savedViews.manage': 'Create, change and delete own saved views',
  'members.read': 'See who is a member',
  'members.manage': 'Add and remove members and change their roles',
  'invitations.manage': 'Invite people and revoke invitations',
  'accessGrants.read': 'See access grants',
  'accessGrants.manage': 'Grant and revoke access to files',
  'roles.read': 'See roles',
  'roles.manage': 'Create, change and delete roles',
  'holds.manage': 'See, place and release holds on files and documents',
  'disposals.manage': 'Make lists of due files to dispose of',
  'disposals.approve': 'Approve and reject disposals',
  'auditLog.read': 'Read the audit log',
  'exports.create': 'Create exports of files and documents',
  'webhooks.manage': 'See, create, change and delete webhooks',
  'settings.manage': 'Change the settings of the tenant',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as Permission[];

/** Sorts permissions by the order of PERMISSIONS, and removes duplicates and permissions of earlier releases. */
export function permissionsInOrder(permissions: Iterable<string>): Permission[] {
  const given = new Set(permissions);
  return ALL_PERMISSIONS.filter((permission) => given.has(permission));
}

export function isPermission(value: string): value is Permission {
  return Object.hasOwn(PERMISSIONS, value);
}
