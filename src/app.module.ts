import { type DynamicModule, Module, type ValueProvider } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { CONFIGURATION, type Configuration } from './platform/config/configuration.js';
import { ContentModule } from './platform/content/content.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { DocumentationModule } from './platform/documentation/documentation.module.js';
import { EventLogModule } from './platform/events/event-log.module.js';
import { ExtractionModule } from './platform/extraction/extraction.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdentityModule } from './platform/identity/identity.module.js';
import { INSTANCE, type Instance } from './platform/instances/instance.js';
import { JobsModule } from './platform/jobs/jobs.module.js';
import { Log } from './platform/logging/log.js';
import { MailModule } from './platform/mail/mail.module.js';
import { RecordingModule } from './platform/recording/recording.module.js';
import { TELEMETRY, type Telemetry } from './platform/telemetry/start-telemetry.js';
import { TenancyModule } from './platform/tenancy/tenancy.module.js';
import { AccessModule } from './resources/access/access.module.js';
import { AccessGrantsModule } from './resources/access-grants/access-grants.module.js';
import { AuditLogModule } from './resources/audit-log/audit-log.module.js';
import { DisposalsModule } from './resources/disposals/disposals.module.js';
import { DocumentTypesModule } from './resources/document-types/document-types.module.js';
import { DocumentsModule } from './resources/documents/documents.module.js';
import { DocumentPreviewsModule } from './resources/documents/previews/document-previews.module.js';
import { DocumentProcessingModule } from './resources/documents/processing/document-processing.module.js';
import { DocumentSearchModule } from './resources/documents/search/document-search.module.js';
import { EventsModule } from './resources/events/events.module.js';
import { ExportsModule } from './resources/exports/exports.module.js';
import { FileTypesModule } from './resources/file-types/file-types.module.js';
import { NumberingModule } from './resources/numbering/numbering.module.js';
import { FilesModule } from './resources/files/files.module.js';
import { HoldsModule } from './resources/holds/holds.module.js';
import { InvitationsModule } from './resources/invitations/invitations.module.js';
import { MeModule } from './resources/me/me.module.js';
import { MembersModule } from './resources/members/members.module.js';
import { NotificationPreferencesModule } from './resources/notification-preferences/notification-preferences.module.js';
import { NotificationsModule } from './resources/notifications/notifications.module.js';
import { OwnTenantsModule } from './resources/own-tenants/own-tenants.module.js';
import { RetentionModule } from './resources/retention/retention.module.js';
import { RolesModule } from './resources/roles/roles.module.js';
import { SavedViewsModule } from './resources/saved-views/saved-views.module.js';
import { TagsModule } from './resources/tags/tags.module.js';
import { TenantSettingsModule } from './resources/tenant-settings/tenant-settings.module.js';
import { WebhooksModule } from './resources/webhooks/webhooks.module.js';

const RESOURCES = [
  AccessModule,
  AccessGrantsModule,
  AuditLogModule,
  EventsModule,
  FileTypesModule,
  FilesModule,
  NumberingModule,
  RetentionModule,
  DocumentTypesModule,
  DocumentsModule,
  DocumentSearchModule,
  DocumentPreviewsModule,
  DocumentProcessingModule,
  TagsModule,
  SavedViewsModule,
  HoldsModule,
  DisposalsModule,
  RolesModule,
  MembersModule,
  InvitationsModule,
  MeModule,
  OwnTenantsModule,
  NotificationsModule,
  NotificationPreferencesModule,
  WebhooksModule,
  ExportsModule,
  TenantSettingsModule,
];

/** What the process has made before the application. */
@Module({})
class ProcessModule {}

/** HttpModule defines the order of guards, pipe and filter. */
@Module({})
export class AppModule {
  static with(
    configuration: Configuration,
    dataSource: DataSource,
    log: Log,
    instance: Instance | null,
    telemetry?: Telemetry,
  ): DynamicModule {
    const given: ValueProvider[] = [
      { provide: CONFIGURATION, useValue: configuration },
      { provide: Log, useValue: log },
      { provide: INSTANCE, useValue: instance },
    ];
    return {
      module: AppModule,
      imports: [
        { module: ProcessModule, global: true, providers: given, exports: given },
        DatabaseModule.with(dataSource),
        IdentityModule,
        ContentModule,
        ExtractionModule,
        MailModule,
        JobsModule.with(telemetry?.tracer),
        RecordingModule,
        TenancyModule,
        EventLogModule,
        HttpModule,
        ...RESOURCES,
        HealthModule,
        DocumentationModule,
      ],
      // Registered for its shutdown hook only.
      providers: telemetry ? [{ provide: TELEMETRY, useValue: telemetry }] : [],
    };
  }
}
