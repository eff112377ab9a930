import { ALL_PERMISSIONS, type Permission } from './permissions.js';

export interface BuiltInRole {
  readonly key: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

function allOf(...resources: string[]): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => resources.includes(permission.split('.')[0] ?? ''));
}

/** Roles of every tenant. They cannot be changed or deleted. */
export const BUILT_IN_ROLES = [
  { key: 'administrator', name: 'Administrator', permissions: ALL_PERMISSIONS },
  {
    key: 'records_manager',
    name: 'Records manager',
    permissions: [
      ...allOf(
        'files',
        'fileTypes',
        'documents',
        'documentTypes',
        'tags',
        'savedViews',
        'accessGrants',
        'holds',
        'disposals',
      ),
      'auditLog.read',
      'members.read',
      'roles.read',
      'exports.create',
    ],
  },
  {
    key: 'editor',
    name: 'Editor',
    permissions: [
      'files.read',
      'files.create',
      'files.update',
      'files.close',
      'documents.read',
      'documents.create',
      'documents.update',
      'documents.file',
      'documents.archive',
      'documents.delete',
      'fileTypes.read',
      'documentTypes.read',
      'tags.read',
      'tags.manage',
      'savedViews.manage',
      'members.read',
      'exports.create',
    ],
  },
  {
    key: 'viewer',
    name: 'Viewer',
    permissions: [
      'files.read',
      'documents.read',
      'fileTypes.read',
      'documentTypes.read',
      'tags.read',
      'savedViews.manage',
    ],
  },
  {
    key: 'auditor',
    name: 'Auditor',
    permissions: ['auditLog.read', 'members.read', 'roles.read', 'accessGrants.read'],
  },
  {
    key: 'guest',
    name: 'Guest',
    permissions: ['documents.read', 'fileTypes.read', 'documentTypes.read', 'tags.read'],
  },
] as const satisfies readonly BuiltInRole[];

export type BuiltInRoleKey = (typeof BUILT_IN_ROLES)[number]['key'];
