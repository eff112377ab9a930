import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CONSTRAINT_PROBLEMS } from '../../src/platform/database/database-problems.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface Constraint {
  name: string;
  /** Of pg_constraint: c, f, p, u, x; u too for unique indexes without a constraint. */
  kind: string;
  columns: string[];
  /** The table that a foreign key refers to. */
  target: string | null;
}

/**
 * Constraints that no request can break, so that breaking one is a defect of the service (500). Whoever adds a
 * constraint decides: what it means to a client (database-problems.ts), or why it means nothing to one (here).
 */
const NEVER_BROKEN: Record<string, string> = {
  pk_contents: 'claimed with ON CONFLICT',
  pk_document_files: 'filing again is ON CONFLICT DO NOTHING',
  pk_document_tags: 'tagging again is ON CONFLICT DO NOTHING',
  pk_document_confidential_users: 'adding again is ON CONFLICT DO NOTHING',
  pk_expected_members: 'written once, when the tenant is made',
  pk_idempotency_keys: 'claimed with ON CONFLICT, which waits for the other request',
  pk_tenant_slugs: 'taken with ON CONFLICT, which tells when the slug is another’s',
  pk_service_secrets: 'written by migrations only',
  uq_tenant_slugs_current: 'changed under the lock of the tenant',
  uq_roles_tenant_key: 'only built-in roles have a key',
  uq_users_issuer_subject: 'seen with ON CONFLICT',
  uq_invitations_secret: 'random',
  fk_documents_content: 'the content’s row is claimed in the transaction of the document',
  pk_document_versions: 'numbered under the lock of the document',
  fk_document_versions_document: 'the document is locked, or made, in the same transaction',
  fk_document_versions_content: 'the content’s row is claimed in the transaction of the version',
  uq_documents_created: 'has the id in it, which is unique by itself',
  uq_files_file_type: 'has the id in it, which is unique by itself',
  fk_document_files_document: 'the document is locked, or made, in the same transaction',
  fk_document_tags_document: 'the document is locked, or made, in the same transaction',
  fk_document_type_fields_document_type: 'the type is locked, or made, in the same transaction',
  uq_document_type_fields_key: 'written with ON CONFLICT',
  pk_document_values:
    'the document is locked, or made, and its former values are gone, in the same transaction',
  fk_document_values_document: 'the document is locked, or made, in the same transaction',
  fk_document_values_field: 'fields are never deleted, and read in the same transaction',
  pk_document_texts: 'written with ON CONFLICT',
  fk_document_texts_document: 'the document is locked, or made, in the same transaction',
  fk_document_confidential_users_document: 'the document is locked, or made, in the same transaction',
};

/** Why whole kinds of constraints cannot be broken by a request. */
function reasonOf({ name, kind, columns, target }: Constraint): string | undefined {
  if (kind === 'c') return 'restates what the code writes: states, and what goes with them';
  if (kind === 'p' && columns.at(-1) === 'id') return 'ids are made by the service';
  if (kind === 'f' && target === 'tenants')
    return 'the tenant is the caller’s own, and tenants are never removed';
  if (kind === 'f' && target === 'users')
    return 'users are read or made before they are named, and never removed';
  return NEVER_BROKEN[name];
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

  it('each mean a problem to the client who breaks them, or cannot be broken by one', () => {
    const open = constraints.filter(
      (constraint) => !(constraint.name in CONSTRAINT_PROBLEMS) && !reasonOf(constraint),
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('are not both', () => {
    expect(Object.keys(NEVER_BROKEN).filter((name) => name in CONSTRAINT_PROBLEMS)).toEqual([]);
  });

  it('are there, all those that are spoken of', () => {
    const names = new Set(constraints.map(({ name }) => name));
    expect(
      [...Object.keys(CONSTRAINT_PROBLEMS), ...Object.keys(NEVER_BROKEN)].filter((name) => !names.has(name)),
    ).toEqual([]);
  });

  it('have names by which they can be told apart', () => {
    const names = constraints.map(({ name }) => name).filter((name) => !name.startsWith('PK_'));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^(pk|uq|fk|ck)_[a-z0-9_]+$/.test(name))).toEqual([]);
  });
});
