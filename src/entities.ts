import { EventLogEntity } from './platform/events/event-log.entity.js';
import { EventQueueEntity } from './platform/events/event-queue.entity.js';
import { EventEntity } from './platform/events/event.entity.js';
import { AuditEntryEntity } from './platform/recording/audit-entry.entity.js';
import { IdempotencyKeyEntity } from './platform/recording/idempotency-key.entity.js';
import { NotificationEntity } from './platform/recording/notification.entity.js';
import { NotificationMailEntity } from './platform/recording/notification-mail.entity.js';
import { NotificationPreferencesEntity } from './platform/recording/notification-preferences.entity.js';
import { AccessGrantEntity } from './platform/tenancy/access/access-grant.entity.js';
import { ExpectedMemberEntity } from './platform/tenancy/access/expected-member.entity.js';
import { MemberEntity } from './platform/tenancy/access/member.entity.js';
import { RoleEntity } from './platform/tenancy/access/role.entity.js';
import { ServiceSecretEntity } from './platform/tenancy/tenants/service-secret.entity.js';
import { TenantSlugEntity } from './platform/tenancy/tenants/tenant-slug.entity.js';
import { TenantEntity } from './platform/tenancy/tenants/tenant.entity.js';
import { UserEntity } from './platform/tenancy/users/user.entity.js';
import { AuditCheckpointEntity, AuditKeyEntity } from './resources/audit-log/evidence/notes/note.entities.js';
import {
  AuditLeafEntity,
  AuditTileEntity,
  AuditTreeEntity,
} from './resources/audit-log/evidence/tree/audit-tree.entities.js';
import { DisposalFileEntity } from './resources/disposals/disposal-file.entity.js';
import { DisposalContentEntity, DisposalEntity } from './resources/disposals/disposal.entity.js';
import { DocumentTypeFieldEntity } from './resources/document-types/document-type-field.entity.js';
import { DocumentTypeEntity } from './resources/document-types/document-type.entity.js';
import { DocumentConfidentialUserEntity } from './resources/documents/changes/document-confidential-user.entity.js';
import { DocumentFileEntity } from './resources/documents/changes/document-file.entity.js';
import { DocumentTagEntity } from './resources/documents/changes/document-tag.entity.js';
import { ContentEntity } from './resources/documents/contents/content.entity.js';
import { DocumentTextEntity } from './resources/documents/contents/document-text.entity.js';
import { DocumentVersionEntity } from './resources/documents/contents/document-version.entity.js';
import { DocumentEntity } from './resources/documents/document.entity.js';
import { DocumentWordEntity } from './resources/documents/words/document-word.entity.js';
import { LexiconEntity } from './resources/documents/words/lexicon.entity.js';
import { TextFoldingEntity } from './resources/documents/contents/text-folding.entity.js';
import { WordQueueEntity } from './resources/documents/words/word-queue.entity.js';
import { DocumentPreviewEntity } from './resources/documents/previews/document-preview.entity.js';
import { DocumentValueEntity } from './resources/documents/values/document-value.entity.js';
import { ExportEntity, ExportItemEntity } from './resources/exports/export.entity.js';
import { FileTypeEntity } from './resources/file-types/file-type.entity.js';
import { FileEntity } from './resources/files/file.entity.js';
import { FileTypeNumberingEntity, NumberCounterEntity } from './resources/numbering/numbering.entities.js';
import { HoldDocumentEntity, HoldFileEntity } from './resources/holds/hold-item.entities.js';
import { HoldEntity } from './resources/holds/hold.entity.js';
import { InvitationEntity } from './resources/invitations/invitation.entity.js';
import { FileTypeRetentionEntity } from './resources/retention/file-type-retention.entity.js';
import { SavedViewEntity } from './resources/saved-views/saved-view.entity.js';
import { TagEntity } from './resources/tags/tag.entity.js';
import { WebhookDeliveryEntity } from './resources/webhooks/webhook-delivery.entity.js';
import { WebhookEntity, WebhookScheduleEntity } from './resources/webhooks/webhook.entity.js';

/** A test compares their tables and columns with the migrated schema. */
export const ENTITIES = [
  AccessGrantEntity,
  AuditCheckpointEntity,
  AuditEntryEntity,
  AuditKeyEntity,
  AuditLeafEntity,
  AuditTileEntity,
  AuditTreeEntity,
  ContentEntity,
  DisposalContentEntity,
  DisposalEntity,
  DisposalFileEntity,
  DocumentConfidentialUserEntity,
  DocumentEntity,
  DocumentFileEntity,
  DocumentPreviewEntity,
  DocumentTagEntity,
  DocumentTextEntity,
  DocumentTypeEntity,
  DocumentTypeFieldEntity,
  DocumentValueEntity,
  DocumentVersionEntity,
  DocumentWordEntity,
  EventEntity,
  EventLogEntity,
  EventQueueEntity,
  ExpectedMemberEntity,
  ExportEntity,
  ExportItemEntity,
  FileEntity,
  FileTypeEntity,
  FileTypeNumberingEntity,
  FileTypeRetentionEntity,
  HoldDocumentEntity,
  HoldEntity,
  HoldFileEntity,
  IdempotencyKeyEntity,
  InvitationEntity,
  LexiconEntity,
  MemberEntity,
  NotificationEntity,
  NotificationMailEntity,
  NotificationPreferencesEntity,
  NumberCounterEntity,
  RoleEntity,
  SavedViewEntity,
  ServiceSecretEntity,
  TagEntity,
  TenantEntity,
  TenantSlugEntity,
  UserEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
  WebhookScheduleEntity,
  TextFoldingEntity,
  WordQueueEntity,
];
