import { randomBytes } from 'node:crypto';
import { newId } from '../../../src/common/identifier.js';
import { bodySlot } from './identifier-slot.js';

/**
 * What the isolation tests cannot derive from the declaration of an operation. A new operation needs a line here only if
 * - it must address another resource than the first of its kind, for example because it deletes it,
 * - its body cannot be derived from its schema, or
 * - its requests contain no identifier.
 */

/** Resources whose name in a populated tenant differs from the name of the parameter. */
const ALIASES: Readonly<Record<string, string>> = {
  user: 'member',
  ids: 'member',
  actor: 'member',
  subject: 'tag',
  target: 'file',
};

/** The name of the resource for a parameter: `documentId`, `documentIds` → `document`. */
export function resourceOf(parameter: string): string {
  const kind = parameter.replace(/Ids?$/, '');
  return ALIASES[kind] ?? kind;
}

/** Resources by operation and parameter, where it is not the first of its kind. */
export const RESOURCE_OVERRIDES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CloseFile: { fileId: 'fileToClose' },
  ReopenFile: { fileId: 'closedFile' },
  DeleteFile: { fileId: 'emptyFile' },
  FileDocument: { fileId: 'otherFile' },
  // Where FileDocument and MoveDocument have filed it.
  UnfileDocument: { fileId: 'otherFile' },
  TagDocument: { tagId: 'otherTag' },
  DeleteTag: { tagId: 'spareTag' },
  DeleteSavedView: { savedViewId: 'spareView' },
  DeleteRole: { roleId: 'spareRole' },
  ReleaseHold: { holdId: 'spareHold' },
  DecideOnDisposalFile: { fileId: 'fileInDisposal' },
  RemoveDisposalFile: { disposalId: 'spareDisposal', fileId: 'spareFileInDisposal' },
  SubmitDisposal: { disposalId: 'disposalToSubmit' },
  ApproveDisposal: { disposalId: 'submittedDisposal' },
  RejectDisposal: { disposalId: 'spareSubmittedDisposal' },
  DeleteDisposal: { disposalId: 'disposalToDelete' },
  GetDisposalCertificate: { disposalId: 'completedDisposal' },
  AddFileToHold: { fileId: 'fileToClose' },
  RemoveFileFromHold: { fileId: 'closedFile' },
  AddDocumentToHold: { documentId: 'documentToArchive' },
  RemoveDocumentFromHold: { documentId: 'archivedDocument' },
  DeleteWebhook: { webhookId: 'spareWebhook' },
  EnableWebhook: { webhookId: 'disabledWebhook' },
  DeleteExport: { exportId: 'spareExport' },
  ChangeMemberRole: { userId: 'spareMember' },
  RemoveMember: { userId: 'spareMember' },
  // The example in the OpenAPI document removes all fields of the type.
  UpdateDocumentType: { documentTypeId: 'spareType' },
  DeactivateDocumentType: { documentTypeId: 'spareType' },
  ReactivateDocumentType: { documentTypeId: 'inactiveType' },
  ArchiveDocument: { documentId: 'documentToArchive' },
  UnarchiveDocument: { documentId: 'archivedDocument' },
  ReprocessDocument: { documentId: 'secondDocument' },
  DeleteDocument: { documentId: 'spareDocument' },
  RestoreDocument: { documentId: 'binnedDocument' },
  ChangeConfidentiality: { documentId: 'documentToHide' },
  ListConfidentialUsers: { documentId: 'confidentialDocument' },
  AddConfidentialUser: { documentId: 'confidentialDocument' },
  RemoveConfidentialUser: { documentId: 'confidentialDocument', userId: 'listedMember' },
};

/** Query parameters with ids without which an operation answers nothing. */
export const REQUIRED_QUERIES: Readonly<Record<string, readonly string[]>> = {
  GetMemberAccess: ['fileId'],
  ListUserNames: ['ids'],
};

const MOVED = { fromFileId: bodySlot('fromFileId', 'file'), toFileId: bodySlot('toFileId', 'otherFile') };

/** Bodies by operation that replace the body derived from the schema. */
export const BODY_OVERRIDES: Readonly<Record<string, readonly object[]>> = {
  // Field values contain ids, but their schema only says "any value".
  CreateDocument: [
    withLinks({ fileIds: [bodySlot('fileIds[0]', 'file')], tagIds: [bodySlot('tagIds[0]', 'tag')] }),
  ],
  UpdateDocument: [withLinks({})],
  SearchDocuments: [
    {
      filter: {
        documentTypeId: bodySlot('filter.documentTypeId', 'documentType'),
        fileId: bodySlot('filter.fileId', 'file'),
        tagIds: [bodySlot('filter.tagIds[0]', 'tag')],
      },
      savedViewId: bodySlot('savedViewId', 'savedView'),
    },
    {
      filter: {
        metadataConditions: [
          {
            fieldKey: 'akte',
            operator: 'EqualTo',
            value: bodySlot('filter.metadataConditions[0].value', 'file'),
          },
        ],
      },
    },
  ],
  // The value of one member decides the meaning of another, or whether it is allowed.
  CreateAccessGrant: [
    {
      subjectType: 'User',
      subjectId: bodySlot('subjectId', 'member'),
      targetType: 'File',
      targetId: bodySlot('targetId', 'file'),
      level: 'Read',
    },
    {
      subjectType: 'Role',
      subjectId: bodySlot('subjectId', 'role'),
      targetType: 'FileType',
      targetId: bodySlot('targetId', 'fileType'),
      level: 'Write',
    },
  ],
  MoveDocument: [MOVED],
  CreateExport: [
    { name: 'Files', fileIds: [bodySlot('fileIds[0]', 'file')] },
    { name: 'Documents', documentIds: [bodySlot('documentIds[0]', 'secondDocument')] },
    { name: 'Type', fileTypeId: bodySlot('fileTypeId', 'fileType') },
    { name: 'Disposal', disposalId: bodySlot('disposalId', 'disposal') },
  ],
  BulkChangeDocuments: [
    ...['Tag', 'Untag'].map((action) => ({
      action,
      documentIds: [bodySlot('documentIds[0]', 'secondDocument')],
      tagIds: [bodySlot('tagIds[0]', 'otherTag')],
    })),
    ...['File', 'Unfile'].map((action) => ({
      action,
      documentIds: [bodySlot('documentIds[0]', 'secondDocument')],
      fileIds: [bodySlot('fileIds[0]', 'otherFile')],
    })),
    { action: 'Move', documentIds: [bodySlot('documentIds[0]', 'secondDocument')], ...MOVED },
    ...['Archive', 'Unarchive', 'Delete', 'Restore'].map((action) => ({
      action,
      documentIds: [bodySlot('documentIds[0]', 'spareDocument')],
    })),
  ],
  CreateDisposal: [
    { name: 'Disposal', fileTypeId: bodySlot('fileTypeId', 'dueFileType'), dueBefore: '2026-01-01' },
  ],
  // Other decisions allow no reference.
  UpdateDisposal: [{ name: 'Disposal', decision: 'Transferred', reference: 'Receipt' }],
  DecideOnDisposalFile: [{ decision: 'Transferred', reference: 'Receipt' }],
  AddHoldItems: [
    {
      fileIds: [bodySlot('fileIds[0]', 'fileToClose')],
      documentIds: [bodySlot('documentIds[0]', 'documentToArchive')],
    },
  ],
  // The identifiers are not UUIDs.
  AcceptInvitation: [{ secret: bodySlot('secret', 'secret') }],
  DeclineInvitation: [{ secret: bodySlot('secret', 'secondSecret') }],
  ChangeTenantSlug: [{ slug: bodySlot('slug', 'slug') }],
};

function withLinks(rest: object): object {
  return {
    title: 'Letter with links',
    documentTypeId: bodySlot('documentTypeId', 'documentType'),
    fields: {
      akte: bodySlot('fields.akte', 'file'),
      anlage: bodySlot('fields.anlage', 'secondDocument'),
      person: bodySlot('fields.person', 'member'),
    },
    ...rest,
  };
}

/** Further resources of the other tenant that are tried for a path parameter: hidden, closed, inactive or deleted ones. */
export const FOREIGN_RESOURCE_VARIANTS: Readonly<Record<string, readonly string[]>> = {
  documentId: ['document', 'archivedDocument', 'binnedDocument', 'confidentialDocument'],
  fileId: ['file', 'closedFile', 'emptyFile', 'fileInDisposal'],
  userId: ['member', 'listedMember'],
  documentTypeId: ['documentType', 'inactiveType'],
};

/** Operations whose requests contain no identifier of a tenant's resource, with the reason. */
export const OPERATIONS_WITHOUT_IDENTIFIERS: Readonly<Record<string, string>> = {
  CreateFileType: 'takes a key and names only',
  CreateDocumentType: 'takes a key, names and fields only',
  CreateTag: 'takes a name only',
  CreateHold: 'takes a name and a text only',
  CreateWebhook: 'takes a URL, a text and types of events only',
  CreateRole: 'takes a name and permissions; permissions are the same for all tenants',
  ListPermissions: 'takes no parameter; the response is the same for all tenants',
  ListSavedViews: 'takes no parameter; lists the views of the caller',
  ListSuggestions: 'takes a text only',
  GetAuditCheckpoint: 'takes no parameter',
  GetAuditKeys: 'takes no parameter',
  GetAuditConsistency: 'takes sizes only',
  ExportAuditLog: 'takes a size only',
  GetTenantMe: 'takes no parameter',
  GetNotificationPreferences: 'takes no parameter; returns the preferences of the caller in the tenant',
  UpdateNotificationPreferences: 'takes a language and modes only; changes the preferences of the caller',
  StreamEvents: 'takes a sequence and types only',
  StreamNotifications: 'takes no parameter; sends the notifications of the caller',
  MarkAllNotificationsRead:
    'takes no parameter; the last test of defineIsolationTests() checks that other tenants are unchanged',
};

/** Callers by operation, where the caller is not the administrator of both tenants. */
export const CALLER_OVERRIDES: Readonly<Record<string, 'invited' | 'invitedToo'>> = {
  AcceptInvitation: 'invited',
  DeclineInvitation: 'invitedToo',
};

/** An identifier that does not exist. The slug `admin` is reserved, so it is refused like a slug in use. */
export function unknownIdentifier(resource: string): string {
  if (resource === 'slug') return 'admin';
  return /secret$/i.test(resource) ? randomBytes(32).toString('base64url') : newId();
}
