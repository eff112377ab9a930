import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { timestampFromPostgres } from '../../common/timestamps.js';
import { type Configuration } from '../config/configuration.js';
import { loginOf, withLogin } from './connections/connection-urls.js';
import { OWNER_SETTINGS, serviceSettings, startOptions } from './connections/session-limits.js';
import { traceConnection } from './connections/traced-connection.js';
import { handleConnectionLoss } from './connections/connection-loss.js';
import { useUnnamedStatements } from './transactions/tenant-batch.js';
import { Tenancy1763700000000 } from './schema/migrations/1763700000000-tenancy.js';
import { Recording1763700100000 } from './schema/migrations/1763700100000-recording.js';
import { Filing1763700200000 } from './schema/migrations/1763700200000-filing.js';
import { AccessGrantExpiry1763700500000 } from './schema/migrations/1763700500000-access-grant-expiry.js';
import { Invitations1763700600000 } from './schema/migrations/1763700600000-invitations.js';
import { RolesAndMembers1763700700000 } from './schema/migrations/1763700700000-roles-and-members.js';
import { DocumentTypes1763700800000 } from './schema/migrations/1763700800000-document-types.js';
import { ConfidentialDocuments1763700900000 } from './schema/migrations/1763700900000-confidential-documents.js';
import { DocumentSearch1763701000000 } from './schema/migrations/1763701000000-document-search.js';
import { SavedViews1763701100000 } from './schema/migrations/1763701100000-saved-views.js';
import { DocumentVersions1763701200000 } from './schema/migrations/1763701200000-document-versions.js';
import { Processing1763701250000 } from './schema/migrations/1763701250000-processing.js';
import { DocumentTexts1763701300000 } from './schema/migrations/1763701300000-document-texts.js';
import { Retention1763701400000 } from './schema/migrations/1763701400000-retention.js';
import { AuditEntryOrigin1795305600000 } from './schema/migrations/1795305600000-audit-entry-origin.js';
import { FirstCallsAndEmailKeys1795305700000 } from './schema/migrations/1795305700000-first-calls-and-email-keys.js';
import { AnswerSizes1795305800000 } from './schema/migrations/1795305800000-answer-sizes.js';
import { StorageLimits1795306000000 } from './schema/migrations/1795306000000-storage-limits.js';
import { ConfidentialPlaces1795392200000 } from './schema/migrations/1795392200000-confidential-places.js';
import { OwnTenants1795392300000 } from './schema/migrations/1795392300000-own-tenants.js';
import { DocumentOrders1795392400000 } from './schema/migrations/1795392400000-document-orders.js';
import { AuditedContentVersion1795392500000 } from './schema/migrations/1795392500000-audited-content-version.js';
import { BuiltInRolesVersion1795478400000 } from './schema/migrations/1795478400000-built-in-roles-version.js';
import { TenantsWithWork1795478450000 } from './schema/migrations/1795478450000-tenants-with-work.js';
import { Events1795478500000 } from './schema/migrations/1795478500000-events.js';
import { Webhooks1795478600000 } from './schema/migrations/1795478600000-webhooks.js';
import { NotificationMail1795478700000 } from './schema/migrations/1795478700000-notification-mail.js';
import { ContentText1795564800000 } from './schema/migrations/1795564800000-content-text.js';
import { Numbering1795652500000 } from './schema/migrations/1795652500000-numbering.js';
import { EventQueueTimes1795738900000 } from './schema/migrations/1795738900000-event-queue-times.js';
import { FileOrders1795739000000 } from './schema/migrations/1795739000000-file-orders.js';
import { FileRetention1795810000000 } from './schema/migrations/1795810000000-file-retention.js';
import { Holds1795810100000 } from './schema/migrations/1795810100000-holds.js';
import { Disposals1795850000000 } from './schema/migrations/1795850000000-disposals.js';
import { PreviewCosts1795652600000 } from './schema/migrations/1795652600000-preview-costs.js';
import { NameKeys1795655000000 } from './schema/migrations/1795655000000-name-keys.js';
import { DocumentPreviews1795564900000 } from './schema/migrations/1795564900000-document-previews.js';
import { DocumentWords1795565000000 } from './schema/migrations/1795565000000-document-words.js';
import { InvitationMail1795651300000 } from './schema/migrations/1795651300000-invitation-mail.js';
import { WebhookLimits1795651400000 } from './schema/migrations/1795651400000-webhook-limits.js';
import { GrantsOfATarget1795653600000 } from './schema/migrations/1795653600000-grants-of-a-target.js';
import { AuditTrees1795830000000 } from './schema/migrations/1795830000000-audit-trees.js';
import { Exports1795840000000 } from './schema/migrations/1795840000000-exports.js';
import { SearchLetters1795860000000 } from './schema/migrations/1795860000000-search-letters.js';
import { SuspendedTenants1795870000000 } from './schema/migrations/1795870000000-suspended-tenants.js';
import { InvitationSecrets1795880000000 } from './schema/migrations/1795880000000-invitation-secrets.js';
import { FieldOrders1795890000000 } from './schema/migrations/1795890000000-field-orders.js';
import { ValuesInTexts1795900000000 } from './schema/migrations/1795900000000-values-in-texts.js';
import { LeavesInBatches1795910000000 } from './schema/migrations/1795910000000-leaves-in-batches.js';
import { TenantConditionOnce1795920000000 } from './schema/migrations/1795920000000-tenant-condition-once.js';

/** All migrations in order. An explicit list instead of a glob, so that a build cannot omit one unnoticed. */
const MIGRATIONS = [
  Tenancy1763700000000,
  Recording1763700100000,
  Filing1763700200000,
  AccessGrantExpiry1763700500000,
  Invitations1763700600000,
  RolesAndMembers1763700700000,
  DocumentTypes1763700800000,
  ConfidentialDocuments1763700900000,
  DocumentSearch1763701000000,
  SavedViews1763701100000,
  DocumentVersions1763701200000,
  Processing1763701250000,
  DocumentTexts1763701300000,
  Retention1763701400000,
  AuditEntryOrigin1795305600000,
  FirstCallsAndEmailKeys1795305700000,
  AnswerSizes1795305800000,
  StorageLimits1795306000000,
  ConfidentialPlaces1795392200000,
  OwnTenants1795392300000,
  DocumentOrders1795392400000,
  AuditedContentVersion1795392500000,
  BuiltInRolesVersion1795478400000,
  TenantsWithWork1795478450000,
  Events1795478500000,
  Webhooks1795478600000,
  NotificationMail1795478700000,
  ContentText1795564800000,
  DocumentPreviews1795564900000,
  DocumentWords1795565000000,
  InvitationMail1795651300000,
  WebhookLimits1795651400000,
  Numbering1795652500000,
  PreviewCosts1795652600000,
  GrantsOfATarget1795653600000,
  NameKeys1795655000000,
  EventQueueTimes1795738900000,
  FileOrders1795739000000,
  FileRetention1795810000000,
  Holds1795810100000,
  AuditTrees1795830000000,
  Exports1795840000000,
  Disposals1795850000000,
  SearchLetters1795860000000,
  SuspendedTenants1795870000000,
  InvitationSecrets1795880000000,
  FieldOrders1795890000000,
  ValuesInTexts1795900000000,
  LeavesInBatches1795910000000,
  TenantConditionOnce1795920000000,
];

/**
 * How result columns become JavaScript values. Timestamps become ISO 8601 text (docs/adr/0005). Values of type bigint
 * become numbers, which are exact up to 2^53. Dates stay text, because they have no time zone.
 */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestampFromPostgres);
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);

type Settings = Pick<
  Configuration,
  | 'databaseAcquireTimeout'
  | 'databaseDirectUrl'
  | 'databasePoolSize'
  | 'databasePrepared'
  | 'databaseStatementTimeout'
  | 'otlpEndpoint'
>;

/**
 * The data source for requests and jobs.
 *
 * @param url with a login role that owns no database objects; may lead through a pooler in transaction mode if
 *   `databaseDirectUrl` is set
 */
export function serviceDataSource(
  url: string,
  settings: Settings,
  entities: DataSourceOptions['entities'],
): DataSource {
  const { databaseDirectUrl, databaseStatementTimeout } = settings;
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    poolSize: settings.databasePoolSize,
    applicationName: 'filing-service',
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    extra: {
      types,
      connectionTimeoutMillis: settings.databaseAcquireTimeout,
      onConnect: (client: pg.Client) => {
        handleConnectionLoss(client, databaseStatementTimeout);
        if (!settings.databasePrepared) useUnnamedStatements(client);
        if (settings.otlpEndpoint !== undefined) traceConnection(client);
      },
      directUrl: databaseDirectUrl && withLogin(databaseDirectUrl, loginOf(url)),
      // A pooler refuses the parameter `options`. The settings then belong to the role (ALTER ROLE).
      ...(databaseDirectUrl === undefined && {
        options: startOptions(serviceSettings(databaseStatementTimeout)),
      }),
    },
  });
}

/** URL of the role of a data source on the server itself, for what needs a session: advisory locks and LISTEN. */
export function directUrlOf(dataSource: DataSource): string {
  const { url, extra } = dataSource.options as { url: string; extra: { directUrl?: string } };
  return extra.directUrl ?? url;
}

/** The data source of the database owner, for migrations and the command line. Requests never use it. */
export function ownerDataSource(url: string, entities: DataSourceOptions['entities'] = []): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    migrationsTableName: 'migrations',
    applicationName: 'filing-service owner',
    poolSize: 2,
    extra: { types, options: startOptions(OWNER_SETTINGS) },
  });
}
