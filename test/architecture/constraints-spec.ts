import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CONSTRAINT_PROBLEMS } from '../../src/platform/database/database-problems.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface Constraint {
  name: string;
  /** The contype of pg_constraint: c, f, p, u or x; u also for unique indexes without a constraint. */
  kind: string;
  columns: string[];
  /** The table that a foreign key refers to. */
  target: string | null;
}

/**
 * Constraints that no request can violate, with the reason; a violation is a defect of the service (500). A new
 * constraint needs either a problem in database-problems.ts or an entry here.
 */
const NEVER_VIOLATED: Record<string, string> = {
  pk_contents: 'written with ON CONFLICT',
  pk_document_files: 'written with ON CONFLICT DO NOTHING',
  pk_document_tags: 'written with ON CONFLICT DO NOTHING',
  pk_document_confidential_users: 'written with ON CONFLICT DO NOTHING',
  pk_expected_members: 'written once, when the tenant is created',
  pk_idempotency_keys: 'written with ON CONFLICT, which waits for the other request',
  pk_tenant_slugs: 'written with ON CONFLICT, which detects the slug of another tenant',
  pk_service_secrets: 'written by migrations only',
  uq_tenant_slugs_current: 'changed under the lock of the tenant',
  uq_roles_tenant_key: 'only built-in roles have a key',
  uq_users_issuer_subject: 'written with ON CONFLICT',
  uq_invitations_secret: 'the secret is random',
  fk_documents_content: 'the row of the content is written in the transaction of the document',
  pk_document_versions: 'numbered under the lock of the document',
  fk_document_versions_document: 'the document is locked or created in the same transaction',
  fk_document_versions_content: 'the row of the content is written in the transaction of the version',
  uq_documents_created: 'contains the id, which is unique',
  uq_files_file_type: 'contains the id, which is unique',
  uq_files_tenant_number: 'written with ON CONFLICT DO NOTHING',
  fk_document_files_document: 'the document is locked or created in the same transaction',
  fk_document_tags_document: 'the document is locked or created in the same transaction',
  fk_document_type_fields_document_type: 'the type is locked or created in the same transaction',
  uq_document_type_fields_key: 'written with ON CONFLICT',
  pk_document_values:
    'the document is locked or created, and its old values are deleted, in the same transaction',
  fk_document_values_document: 'the document is locked or created in the same transaction',
  fk_document_values_field: 'fields are never deleted and are read in the same transaction',
  pk_document_texts: 'written with ON CONFLICT',
  pk_document_words: 'written with ON CONFLICT DO NOTHING',
  fk_document_words_document: 'the document is locked in the same transaction',
  pk_text_foldings: 'only a migration inserts rows',
  pk_word_queue: 'written with ON CONFLICT',
  fk_word_queue_document: 'the document is locked or created in the same transaction',
  pk_lexicons: 'written with ON CONFLICT DO NOTHING',
  fk_document_texts_document: 'the document is locked or created in the same transaction',
  fk_document_confidential_users_document: 'the document is locked or created in the same transaction',
  pk_document_previews: 'written with ON CONFLICT',
  fk_document_previews_version: 'the version is read in the same statement; an error is only logged',
  pk_webhook_schedules: 'written with ON CONFLICT DO NOTHING',
  fk_webhook_deliveries_webhook: 'webhooks are deleted after their deliveries',
  uq_webhook_deliveries_event: 'the position of a webhook passes each event once',
  pk_export_items: 'each file and document is packed once by the only attempt that may change the export',
  fk_export_items_export: 'the export is updated in the same transaction',
  fk_exports_content: 'the row of the content is written in the same transaction',
  pk_file_type_numberings: 'written under the lock of the file type',
  fk_file_type_numberings_file_type: 'the file type is locked in the same transaction',
  pk_number_counters: 'written with ON CONFLICT DO NOTHING',
  pk_file_type_retentions: 'written with ON CONFLICT',
  fk_file_type_retentions_file_type: 'the file type is locked in the same transaction',
  pk_hold_files: 'written with ON CONFLICT DO NOTHING',
  pk_hold_documents: 'written with ON CONFLICT DO NOTHING',
  fk_hold_files_hold: 'the hold is locked in the same transaction, and holds are never deleted',
  fk_hold_documents_hold: 'the hold is locked in the same transaction, and holds are never deleted',
  fk_hold_files_item: 'the file is locked in the same transaction',
  fk_hold_documents_item: 'the document is locked in the same transaction',
  fk_disposals_file_type: 'the file type is read in the same transaction, and file types are never deleted',
  pk_disposal_files: 'written with ON CONFLICT DO NOTHING',
  uq_disposal_files_unfinished: 'written with ON CONFLICT DO NOTHING',
  fk_disposal_files_disposal: 'the disposal is created in the same transaction',
  pk_disposal_contents: 'written with ON CONFLICT DO NOTHING',
  fk_disposal_contents_disposal: 'an approved disposal is never deleted',
  pk_event_logs: 'written when the tenant is created, else with ON CONFLICT DO NOTHING',
  pk_event_queue: 'contains the id of a new audit entry',
  pk_events: 'written under the lock of the log',
  uq_events_entry: 'an entry leaves the queue in the transaction that writes its event',
  pk_audit_trees: 'written with ON CONFLICT',
  pk_audit_leaves: 'written under the lock of the tree',
  pk_audit_tiles: 'written under the lock of the tree',
  pk_audit_keys: 'written with ON CONFLICT DO NOTHING',
  pk_notification_preferences: 'written with ON CONFLICT DO NOTHING',
  pk_notification_mails: 'contains the id of a notification that the same transaction creates',
  fk_notification_mails_notification: 'the notification is created in the same transaction',
  fk_notification_mails_preferences: 'the preferences are locked in the same transaction',
};

function whyNeverViolated({ name, kind, columns, target }: Constraint): string | undefined {
  if (kind === 'c') return 'check constraints repeat rules of the code about states';
  if (kind === 'p' && columns.at(-1) === 'id') return 'ids are generated by the service';
  if (kind === 'f' && target === 'tenants')
    return 'the tenant is that of the transaction, and tenants are never deleted';
  if (kind === 'f' && target === 'users') return 'users are read or created first, and never deleted';
  return NEVER_VIOLATED[name];
}

describe('The constraints of the schema', () => {
  let database: TestDatabase;
  let constraints: Constraint[];
  beforeAll(async () => {
    database = await createTestDatabase();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const columns = (table: string, numbers: string) =>
      `ARRAY(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS part (number, place)
              JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = part.number ORDER BY part.place)`;
    const { rows } = await owner.query<Constraint>(`
      SELECT k.conname AS name, k.contype::text AS kind, ${columns('k.conrelid', 'k.conkey')} AS columns,
             (SELECT relname FROM pg_class WHERE oid = k.confrelid) AS target
        FROM pg_constraint k WHERE k.connamespace = 'public'::regnamespace AND k.contype <> 'n'
      UNION ALL
      SELECT i.relname, 'u', ${columns('x.indrelid', 'x.indkey::int2[]')}, NULL
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
       WHERE x.indisunique AND i.relnamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = x.indexrelid)`);
    await owner.end();
    constraints = rows;
  });
  afterAll(() => database.drop());

  it('each have a problem for clients or cannot be violated by a request', () => {
    const open = constraints.filter(
      (constraint) => !(constraint.name in CONSTRAINT_PROBLEMS) && !whyNeverViolated(constraint),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('never have both a problem and a reason why they cannot be violated', () => {
    expect(Object.keys(NEVER_VIOLATED).filter((name) => name in CONSTRAINT_PROBLEMS)).toEqual([]);
  });

  it('include all constraints with a problem or a reason', () => {
    const names = new Set(constraints.map(({ name }) => name));
    expect(
      [...Object.keys(CONSTRAINT_PROBLEMS), ...Object.keys(NEVER_VIOLATED)].filter(
        (name) => !names.has(name),
      ),
    ).toEqual([]);
  });

  it('have unique names with the prefix of their kind', () => {
    const names = constraints.map(({ name }) => name).filter((name) => !name.startsWith('PK_'));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(pk|uq|fk|ck)_[a-z0-9_]+$/.test(name))).toEqual([]);
  });
});
