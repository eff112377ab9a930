import { DocumentTypeFieldEntity } from './document-types/document-type-field.entity.js';
import { DocumentTypeEntity } from './document-types/document-type.entity.js';
import { ContentEntity } from './documents/content.entity.js';
import { DocumentConfidentialUserEntity } from './documents/document-confidential-user.entity.js';
import { DocumentFileEntity } from './documents/document-file.entity.js';
import { DocumentTagEntity } from './documents/document-tag.entity.js';
import { DocumentEntity } from './documents/document.entity.js';
import { DocumentTextEntity } from './documents/texts/document-text.entity.js';
import { DocumentValueEntity } from './documents/values/document-value.entity.js';
import { DocumentVersionEntity } from './documents/versions/document-version.entity.js';
import { FileTypeEntity } from './file-types/file-type.entity.js';
import { FileEntity } from './files/file.entity.js';
import { InvitationEntity } from './invitations/invitation.entity.js';
import { AuditEntryEntity } from './recording/audit-entry.entity.js';
import { IdempotencyKeyEntity } from './recording/idempotency-key.entity.js';
import { NotificationEntity } from './recording/notification.entity.js';
import { SavedViewEntity } from './saved-views/saved-view.entity.js';
import { TagEntity } from './tags/tag.entity.js';
import { AccessGrantEntity } from './tenancy/access-grant.entity.js';
import { ExpectedMemberEntity } from './tenancy/expected-member.entity.js';
import { MemberEntity } from './tenancy/member.entity.js';
import { RoleEntity } from './tenancy/role.entity.js';
import { ServiceSecretEntity } from './tenancy/service-secret.entity.js';
import { TenantSlugEntity } from './tenancy/tenant-slug.entity.js';
import { TenantEntity } from './tenancy/tenant.entity.js';
import { UserEntity } from './tenancy/user.entity.js';

/** Every entity; a test holds them against the migrated schema, table by table and column by column. */
export const ENTITIES = [
  AccessGrantEntity,
  AuditEntryEntity,
  ContentEntity,
  DocumentConfidentialUserEntity,
  DocumentEntity,
  DocumentFileEntity,
  DocumentTagEntity,
  DocumentTextEntity,
  DocumentTypeEntity,
  DocumentTypeFieldEntity,
  DocumentValueEntity,
  DocumentVersionEntity,
  ExpectedMemberEntity,
  FileEntity,
  FileTypeEntity,
  IdempotencyKeyEntity,
  InvitationEntity,
  MemberEntity,
  NotificationEntity,
  RoleEntity,
  SavedViewEntity,
  ServiceSecretEntity,
  TagEntity,
  TenantEntity,
  TenantSlugEntity,
  UserEntity,
];
