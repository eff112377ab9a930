/** All audit actions with the type of their subject. */
export const AUDIT_ACTIONS = {
  FileCreated: 'File',
  FileRenamed: 'File',
  FileClosed: 'File',
  FileReopened: 'File',
  FileDeleted: 'File',
  FileTypeCreated: 'FileType',
  FileTypeUpdated: 'FileType',
  FileTypeNumberingChanged: 'FileType',
  FileTypeRetentionChanged: 'FileType',
  DocumentCreated: 'Document',
  DocumentUpdated: 'Document',
  DocumentFiled: 'Document',
  DocumentUnfiled: 'Document',
  DocumentArchived: 'Document',
  DocumentUnarchived: 'Document',
  DocumentDeleted: 'Document',
  DocumentRestored: 'Document',
  /**
   * The summary is the title, or null if the document was confidential. After the purge, only this entry shows
   * whether the document was confidential.
   */
  DocumentPurged: 'Document',
  DocumentDownloaded: 'Document',
  /** Packed into an export. */
  DocumentExported: 'Document',
  /** The content is read again; the document does not change. */
  DocumentReprocessed: 'Document',
  DocumentTagged: 'Document',
  DocumentUntagged: 'Document',
  ConfidentialityChanged: 'Document',
  ConfidentialUserAdded: 'Document',
  ConfidentialUserRemoved: 'Document',
  DocumentTypeCreated: 'DocumentType',
  DocumentTypeUpdated: 'DocumentType',
  DocumentTypeDeactivated: 'DocumentType',
  DocumentTypeReactivated: 'DocumentType',
  TagCreated: 'Tag',
  TagRenamed: 'Tag',
  TagDeleted: 'Tag',
  SavedViewCreated: 'SavedView',
  SavedViewUpdated: 'SavedView',
  SavedViewDeleted: 'SavedView',
  RoleCreated: 'Role',
  RoleUpdated: 'Role',
  RoleDeleted: 'Role',
  MemberAdded: 'Member',
  MemberRoleChanged: 'Member',
  MemberRemoved: 'Member',
  InvitationCreated: 'Invitation',
  InvitationAccepted: 'Invitation',
  InvitationDeclined: 'Invitation',
  InvitationRevoked: 'Invitation',
  AccessGranted: 'AccessGrant',
  AccessRevoked: 'AccessGrant',
  // Entries about a hold have no summary: its name is only for members with holds.manage.
  HoldCreated: 'Hold',
  HoldUpdated: 'Hold',
  HoldReleased: 'Hold',
  /** Or a document; see {@link SubjectOf}. */
  HoldItemAdded: 'File',
  HoldItemRemoved: 'File',
  DisposalCreated: 'Disposal',
  DisposalUpdated: 'Disposal',
  DisposalDeleted: 'Disposal',
  DisposalSubmitted: 'Disposal',
  DisposalApproved: 'Disposal',
  DisposalRejected: 'Disposal',
  DisposalCompleted: 'Disposal',
  /** Without a summary: only the certificate of the disposal names the file. */
  FileDisposed: 'File',
  WebhookCreated: 'Webhook',
  WebhookUpdated: 'Webhook',
  WebhookDeleted: 'Webhook',
  WebhookEnabled: 'Webhook',
  WebhookDisabled: 'Webhook',
  WebhookSecretRotated: 'Webhook',
  /** The summary is the number of entries and the root of their tree. */
  AuditCheckpointSigned: 'AuditCheckpoint',
  ExportCreated: 'Export',
  ExportDownloaded: 'Export',
  ExportDeleted: 'Export',
  TenantCreated: 'Tenant',
  TenantSlugChanged: 'Tenant',
  TenantRenamed: 'Tenant',
  /** The summary is the e-mail address, after that of the expected administrator whom it replaces. */
  TenantAdministratorAdded: 'Tenant',
  TenantSuspended: 'Tenant',
  TenantResumed: 'Tenant',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export type AuditSubjectType = (typeof AUDIT_ACTIONS)[AuditAction];

/** Names of the ids in `related` of an event: of other objects that the change is about, besides its subject. */
export const RELATED_IDS = [
  'fileId',
  'fileTypeId',
  'tagId',
  'userId',
  'roleId',
  'holdId',
  'exportId',
  'disposalId',
] as const;

export type RelatedIds = Readonly<Partial<Record<(typeof RELATED_IDS)[number], string>>>;

type Ids<Name extends keyof RelatedIds> = Readonly<Record<Name, string>>;

/** Target and subject of a grant. */
export type GrantIds = (Ids<'fileId'> | Ids<'fileTypeId'>) & (Ids<'userId'> | Ids<'roleId'>);

/** The related ids of each action that has some. An event contains ids only, never names or other texts. */
interface RelatedIdsByAction {
  FileCreated: Ids<'fileTypeId'>;
  FileRenamed: Ids<'fileTypeId'>;
  FileClosed: Ids<'fileTypeId'>;
  FileReopened: Ids<'fileTypeId'>;
  FileDeleted: Ids<'fileTypeId'>;
  DocumentFiled: Ids<'fileId'>;
  DocumentUnfiled: Ids<'fileId'>;
  DocumentExported: Ids<'exportId'>;
  DocumentTagged: Ids<'tagId'>;
  DocumentUntagged: Ids<'tagId'>;
  ConfidentialUserAdded: Ids<'userId'>;
  ConfidentialUserRemoved: Ids<'userId'>;
  SavedViewCreated: Ids<'userId'>;
  SavedViewUpdated: Ids<'userId'>;
  SavedViewDeleted: Ids<'userId'>;
  /** The role of the member. */
  MemberAdded: Ids<'roleId'>;
  /** The new role. */
  MemberRoleChanged: Ids<'roleId'>;
  /** The last role. */
  MemberRemoved: Ids<'roleId'>;
  InvitationCreated: Ids<'roleId'>;
  InvitationAccepted: Ids<'roleId' | 'userId'>;
  InvitationDeclined: Ids<'roleId'>;
  InvitationRevoked: Ids<'roleId'>;
  HoldItemAdded: Ids<'holdId'>;
  HoldItemRemoved: Ids<'holdId'>;
  FileDisposed: Ids<'disposalId' | 'fileTypeId'>;
  AccessGranted: GrantIds;
  AccessRevoked: GrantIds;
}

/** The member `related` of an audit entry with this action: required if the action has related ids. */
export type RelatedOf<Action extends AuditAction> = Action extends keyof RelatedIdsByAction
  ? { readonly related: RelatedIdsByAction[Action] }
  : { readonly related?: never };

/** The member `subjectType` of an audit entry with this action: only if the action does not determine it. */
export type SubjectOf<Action extends AuditAction> = Action extends 'HoldItemAdded' | 'HoldItemRemoved'
  ? { readonly subjectType: 'File' | 'Document' }
  : { readonly subjectType?: never };
