import { type MigrationInterface } from 'typeorm';

type Migration = new () => MigrationInterface;

/**
 * All migrations in order. An explicit list instead of a glob, so that a build cannot omit one unnoticed, and those that
 * a former build has left in the folder do not run.
 *
 * A migration must import nothing that imports the data source: the two would wait for each other.
 */
const MODULES: readonly Record<string, Migration>[] = await Promise.all([
  import('./migrations/1763700000000-tenancy.js'),
  import('./migrations/1763700100000-recording.js'),
  import('./migrations/1763700200000-filing.js'),
  import('./migrations/1763700500000-access-grant-expiry.js'),
  import('./migrations/1763700600000-invitations.js'),
  import('./migrations/1763700700000-roles-and-members.js'),
  import('./migrations/1763700800000-document-types.js'),
  import('./migrations/1763700900000-confidential-documents.js'),
  import('./migrations/1763701000000-document-search.js'),
  import('./migrations/1763701100000-saved-views.js'),
  import('./migrations/1763701200000-document-versions.js'),
  import('./migrations/1763701250000-processing.js'),
  import('./migrations/1763701300000-document-texts.js'),
  import('./migrations/1763701400000-retention.js'),
  import('./migrations/1795305600000-audit-entry-origin.js'),
  import('./migrations/1795305700000-first-calls-and-email-keys.js'),
  import('./migrations/1795305800000-answer-sizes.js'),
  import('./migrations/1795306000000-storage-limits.js'),
  import('./migrations/1795392200000-confidential-places.js'),
  import('./migrations/1795392300000-own-tenants.js'),
  import('./migrations/1795392400000-document-orders.js'),
  import('./migrations/1795392500000-audited-content-version.js'),
  import('./migrations/1795478400000-built-in-roles-version.js'),
  import('./migrations/1795478450000-tenants-with-work.js'),
  import('./migrations/1795478500000-events.js'),
  import('./migrations/1795478600000-webhooks.js'),
  import('./migrations/1795478700000-notification-mail.js'),
  import('./migrations/1795564800000-content-text.js'),
  import('./migrations/1795564900000-document-previews.js'),
  import('./migrations/1795565000000-document-words.js'),
  import('./migrations/1795651300000-invitation-mail.js'),
  import('./migrations/1795651400000-webhook-limits.js'),
  import('./migrations/1795652500000-numbering.js'),
  import('./migrations/1795652600000-preview-costs.js'),
  import('./migrations/1795653600000-grants-of-a-target.js'),
  import('./migrations/1795655000000-name-keys.js'),
  import('./migrations/1795738900000-event-queue-times.js'),
  import('./migrations/1795739000000-file-orders.js'),
  import('./migrations/1795810000000-file-retention.js'),
  import('./migrations/1795810100000-holds.js'),
  import('./migrations/1795830000000-audit-trees.js'),
  import('./migrations/1795840000000-exports.js'),
  import('./migrations/1795850000000-disposals.js'),
  import('./migrations/1795860000000-search-letters.js'),
  import('./migrations/1795870000000-suspended-tenants.js'),
  import('./migrations/1795880000000-invitation-secrets.js'),
  import('./migrations/1795890000000-field-orders.js'),
  import('./migrations/1795900000000-values-in-texts.js'),
  import('./migrations/1795910000000-leaves-in-batches.js'),
  import('./migrations/1795920000000-tenant-condition-once.js'),
  import('./migrations/1795940000000-contains-by-field.js'),
  import('./migrations/1795950000000-digits-of-files.js'),
  import('./migrations/1795960000000-creation-of-targets.js'),
  import('./migrations/1795970000000-search-shares.js'),
]);

export const MIGRATIONS = MODULES.flatMap((module) => Object.values(module));
