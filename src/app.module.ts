import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSource } from 'typeorm';
import { AccessGrantsModule } from './access-grants/access-grants.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { ConfigModule } from './config/config.module.js';
import { type Configuration } from './config/configuration.js';
import { ContentModule } from './content/content.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DocumentTypesModule } from './document-types/document-types.module.js';
import { DocumentsModule } from './documents/documents.module.js';
import { ExtractionModule } from './extraction/extraction.module.js';
import { FileTypesModule } from './file-types/file-types.module.js';
import { DocumentationModule } from './http/documentation/documentation.module.js';
import { FilesModule } from './files/files.module.js';
import { HttpModule } from './http/http.module.js';
import { type Log } from './http/log.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { MailModule } from './mail/mail.module.js';
import { MeModule } from './me/me.module.js';
import { MembersModule } from './members/members.module.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OwnTenantsModule } from './own-tenants/own-tenants.module.js';
import { RecordingModule } from './recording/recording.module.js';
import { RolesModule } from './roles/roles.module.js';
import { SavedViewsModule } from './saved-views/saved-views.module.js';
import { TagsModule } from './tags/tags.module.js';
import { TELEMETRY, type Telemetry } from './telemetry/telemetry.js';
import { TenancyModule } from './tenancy/tenancy.module.js';
import { TenantSettingsModule } from './tenant-settings/tenant-settings.module.js';

/** What the service consists of; the pipeline's order stands in HttpModule. */
@Module({})
export class AppModule {
  static with(
    configuration: Configuration,
    dataSource: DataSource,
    log: Log,
    telemetry?: Telemetry,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(configuration),
        DatabaseModule.with(dataSource),
        RecordingModule,
        JobsModule.with(log, telemetry?.tracer),
        ContentModule,
        ExtractionModule,
        MailModule,
        TenancyModule,
        HttpModule.with(log),
        AccessGrantsModule,
        AuditLogModule,
        FileTypesModule,
        FilesModule,
        DocumentTypesModule,
        DocumentsModule,
        TagsModule,
        SavedViewsModule,
        RolesModule,
        MembersModule,
        InvitationsModule,
        MeModule,
        OwnTenantsModule,
        NotificationsModule,
        TenantSettingsModule,
        OperationsModule,
        DocumentationModule,
      ],
      // Of nobody's use here, but told when the application ends.
      providers: telemetry ? [{ provide: TELEMETRY, useValue: telemetry }] : [],
    };
  }
}
