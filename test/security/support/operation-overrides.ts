import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/common/identifier.js';
import { slot } from './identifier-slot.js';

/**
 * What the matrix cannot know from the declaration of an operation. A new one needs a line here only where it is to
 * address something else than the first resource of its kind (because it takes it away, say), where its body cannot be
 * made of its schema, or where it names nothing at all.
 */

/** Things of populatedTenants that go by another name than the parameters that name them. */
const ALIASES: Readonly<Record<string, string>> = {
  user: 'member',
  actor: 'member',
  subject: 'tag',
  target: 'file',
};

/** `documentId`, `documentIds` → `document`. */
export function resourceOf(parameter: string): string {
  const kind = parameter.replace(/Ids?$/, '');
  return ALIASES[kind] ?? kind;
}

/** By operation and parameter, where it is not the first of the kind. */
export const RESOURCE_OVERRIDES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CloseFile: { fileId: 'fileToClose' },
  ReopenFile: { fileId: 'closedFile' },
  DeleteFile: { fileId: 'emptyFile' },
  FileDocument: { fileId: 'otherFile' },
  TagDocument: { tagId: 'otherTag' },
  DeleteTag: { tagId: 'spareTag' },
  DeleteSavedView: { savedViewId: 'spareView' },
  DeleteRole: { roleId: 'spareRole' },
  ChangeMemberRole: { userId: 'spareMember' },
  RemoveMember: { userId: 'spareMember' },
  // The example of its body removes the fields of the type.
  UpdateDocumentType: { documentTypeId: 'spareType' },
  DeactivateDocumentType: { documentTypeId: 'spareType' },
  ReactivateDocumentType: { documentTypeId: 'inactiveType' },
  ArchiveDocument: { documentId: 'documentToArchive' },
  UnarchiveDocument: { documentId: 'archivedDocument' },
  DeleteDocument: { documentId: 'spareDocument' },
  RestoreDocument: { documentId: 'binnedDocument' },
  ChangeConfidentiality: { documentId: 'documentToHide' },
  ListConfidentialUsers: { documentId: 'confidentialDocument' },
  AddConfidentialUser: { documentId: 'confidentialDocument' },
  RemoveConfidentialUser: { documentId: 'confidentialDocument', userId: 'listedMember' },
};

/** Bodies by operation, instead of the one that the schema gives. */
export const BODY_OVERRIDES: Readonly<Record<string, readonly object[]>> = {
  // Their values name identifiers where the schema only says "any value of the type".
  CreateDocument: [withLinks({ fileIds: [slot('fileIds[0]', 'file')], tagIds: [slot('tagIds[0]', 'tag')] })],
  UpdateDocument: [withLinks({})],
  SearchDocuments: [
    {
      filter: {
        documentTypeId: slot('filter.documentTypeId', 'documentType'),
        fileId: slot('filter.fileId', 'file'),
        tagIds: [slot('filter.tagIds[0]', 'tag')],
      },
      savedViewId: slot('savedViewId', 'savedView'),
    },
    {
      filter: {
        metadataConditions: [
          {
            fieldKey: 'akte',
            operator: 'EqualTo',
            value: slot('filter.metadataConditions[0].value', 'file'),
          },
        ],
      },
    },
  ],
  // What one member says decides what another one means, or whether it may be there.
  CreateAccessGrant: [
    {
      subjectType: 'User',
      subjectId: slot('subjectId', 'member'),
      targetType: 'File',
      targetId: slot('targetId', 'file'),
      level: 'Read',
    },
    {
      subjectType: 'Role',
      subjectId: slot('subjectId', 'role'),
      targetType: 'FileType',
      targetId: slot('targetId', 'fileType'),
      level: 'Write',
    },
  ],
  BulkChangeDocuments: [
    ...['Tag', 'Untag'].map((action) => ({
      action,
      documentIds: [slot('documentIds[0]', 'secondDocument')],
      tagIds: [slot('tagIds[0]', 'otherTag')],
    })),
    ...['File', 'Unfile'].map((action) => ({
      action,
      documentIds: [slot('documentIds[0]', 'secondDocument')],
      fileIds: [slot('fileIds[0]', 'otherFile')],
    })),
    ...['Archive', 'Unarchive', 'Delete', 'Restore'].map((action) => ({
      action,
      documentIds: [slot('documentIds[0]', 'spareDocument')],
    })),
  ],
  // What is named is no id.
  AcceptInvitation: [{ secret: slot('secret', 'secret') }],
  DeclineInvitation: [{ secret: slot('secret', 'secondSecret') }],
  ChangeTenantSlug: [{ slug: slot('slug', 'slug') }],
};

function withLinks(rest: object): object {
  return {
    title: 'Letter with links',
    documentTypeId: slot('documentTypeId', 'documentType'),
    fields: {
      akte: slot('fields.akte', 'file'),
      anlage: slot('fields.anlage', 'secondDocument'),
      person: slot('fields.person', 'member'),
    },
    ...rest,
  };
}

/** In other tenants, more than one resource of a kind is asked for: what is hidden, ended or away behaves otherwise. */
export const FOREIGN_RESOURCE_VARIANTS: Readonly<Record<string, readonly string[]>> = {
  documentId: ['document', 'archivedDocument', 'binnedDocument', 'confidentialDocument'],
  fileId: ['file', 'closedFile', 'emptyFile'],
  userId: ['member', 'listedMember'],
  documentTypeId: ['documentType', 'inactiveType'],
};

/** Operations in which nothing of the tenant is named, and why. */
export const OPERATIONS_WITHOUT_IDENTIFIERS: Readonly<Record<string, string>> = {
  CreateFileType: 'takes a key and names, which mean nothing outside the tenant',
  CreateDocumentType: 'takes a key, names and fields, which mean nothing outside the tenant',
  CreateTag: 'takes a name, which means nothing outside the tenant',
  CreateRole: 'takes a name and permissions, which are the same for all tenants',
  ListPermissions: 'is the same for all tenants',
  ListSavedViews: 'takes nothing: a bare list of the caller’s own',
  GetTenantMe: 'takes nothing',
  MarkAllNotificationsRead: 'takes nothing; that it leaves other tenants alone, the last case shows',
};

/** Who asks, where it is not somebody who may do everything in both tenants. */
export const CALLER_OVERRIDES: Readonly<Record<string, 'invited' | 'invitedToo'>> = {
  AcceptInvitation: 'invited',
  DeclineInvitation: 'invitedToo',
};

/** Such a resource as nobody has: an id, unless the resource is none. `admin` is reserved, which is as good as taken. */
export function unknownIdentifier(resource: string): string {
  if (resource === 'slug') return 'admin';
  return /secret$/i.test(resource) ? randomBytes(32).toString('base64url') : newId();
}
