import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Ids, saveSamples } from '../../../factories/samples.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';

/** SQL expression: the id of row `n` of a kind. */
const idOf = (kind: string, n = 'n') => `md5('${kind}' || ${n})::uuid`;
const createdAt = (n: string) => `timestamptz '2026-01-01' - ${n} * interval '1 second'`;
const CREATED = createdAt('n');
const KEY = `lpad(n::text, 6, '0')`;
/** Every second row belongs to the sample, the others each to another row. */
const sampleOr = (sample: string | undefined, other: string) =>
  `CASE WHEN n % 2 = 0 THEN '${sample}' ELSE ${other} END`;

type Row = readonly [table: string, rows: number, columns: Readonly<Record<string, string>>];

/** Values of copy `n` of a sample, as SQL expressions, where they differ from those of the sample. */
function rowsOf(
  documents: number,
  { documentTypeId, fileId, tagId, holdId, disposalId }: Ids,
  guest: Actor,
): readonly Row[] {
  const ofDocument = { document_id: idOf('document'), created_at: CREATED };
  return [
    ['users', documents, { id: idOf('user'), subject: idOf('user'), email_key: 'NULL', name_key: KEY }],
    ['members', 500, { user_id: idOf('user') }],
    ['roles', 500, { id: idOf('role'), key: 'NULL', name_key: KEY }],
    [
      'invitations',
      1000,
      {
        id: idOf('invitation'),
        email_key: KEY,
        secret_hash: `decode(md5(n::text), 'hex')`,
        created_at: CREATED,
      },
    ],
    ['file_types', 500, { id: idOf('file type'), key: KEY, sort_key: KEY }],
    ['document_types', 500, { id: idOf('document type'), key: KEY, sort_key: KEY }],
    [
      'files',
      documents,
      {
        id: idOf('file'),
        number_key: KEY,
        search_text: `${KEY} || E'\\nakte'`,
        search_starts: `'{0,00,a,ak}'`,
        created_at: CREATED,
      },
    ],
    ['tags', documents, { id: idOf('tag'), name: `'Tag ' || ${KEY}`, name_key: `'tag ' || ${KEY}` }],
    ['holds', 500, { id: idOf('hold'), status: `'Active'`, released_at: 'NULL', created_at: CREATED }],
    [
      'hold_files',
      documents,
      { hold_id: sampleOr(holdId, idOf('hold')), file_id: idOf('file'), added_at: CREATED },
    ],
    [
      'hold_documents',
      documents,
      { hold_id: sampleOr(holdId, idOf('hold')), document_id: idOf('document'), added_at: CREATED },
    ],
    ['disposals', 500, { id: idOf('disposal'), created_at: CREATED }],
    [
      'disposal_files',
      documents,
      {
        disposal_id: sampleOr(disposalId, idOf('disposal', '(n % 500)')),
        file_id: idOf('file'),
        number_key: KEY,
        closed_at: CREATED,
      },
    ],
    ['saved_views', 400, { id: idOf('view'), name_key: KEY }],
    [
      'access_grants',
      1000,
      {
        id: idOf('grant'),
        subject_id: `'${guest.userId}'`,
        target_id: idOf('file', 'n % 100'),
        target_created_at: createdAt('n % 100'),
        created_at: CREATED,
        revoked_at: 'CASE WHEN n >= 100 THEN now() END',
      },
    ],
    [
      'documents',
      documents,
      {
        id: idOf('document'),
        document_type_id: `'${documentTypeId}'`,
        is_confidential: 'n % 10 = 0',
        created_at: CREATED,
        updated_at: CREATED,
      },
    ],
    [
      'document_files',
      documents,
      { ...ofDocument, file_id: sampleOr(fileId, idOf('file')), filed_at: CREATED },
    ],
    ['document_tags', documents, { ...ofDocument, tag_id: sampleOr(tagId, idOf('tag')) }],
    [
      'document_texts',
      documents,
      { ...ofDocument, part: '0', vector: `('akte:1A wort' || n % 20 || ':2A')::tsvector` },
    ],
    ['document_versions', documents, { document_id: idOf('document') }],
    [
      'document_confidential_users',
      documents,
      { document_id: idOf('document'), document_created_at: CREATED },
    ],
    [
      'notifications',
      documents,
      { id: idOf('notification'), document_id: idOf('document'), created_at: CREATED },
    ],
    ['webhook_deliveries', documents, { id: idOf('delivery'), event_id: idOf('event'), created_at: CREATED }],
    [
      'audit_entries',
      documents,
      { id: idOf('entry'), subject_type: `'Document'`, subject_id: idOf('document'), occurred_at: CREATED },
    ],
    ['events', documents, { sequence: '1000 + n', entry_id: idOf('entry') }],
  ];
}

/** Values of fields by key, and the maximum number of documents with them. */
const VALUES = [
  ['count', 'number_value', '1', null],
  ['note', 'text_key', `'notiz'`, null],
  ['state', 'option_key', `'open'`, 500],
] as const;

/** Without a key that begins with the tenant, or read in the background. */
const NOT_COPIED = ['tenant_slugs', 'event_queue', 'word_queue'];

/** A tenant with many rows of each kind, and other tenants with the same rows. */
export class LargeTenant {
  private constructor(
    readonly tenant: TestTenant,
    readonly admin: Actor,
    /** Sees only what grants cover. */
    readonly guest: Actor,
    readonly samples: Ids,
    private readonly client: pg.Client,
    private readonly tables: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** Creates the tenant with one row of each kind. From then on, statistics change only with `ANALYZE`. */
  static async create(service: TestService): Promise<LargeTenant> {
    const tenant = await service.tenant();
    const [admin, guest] = [await tenant.as('administrator'), await tenant.as('guest')];
    const samples = await saveSamples(tenant, admin, await tenant.as('administrator'));
    const client = new pg.Client({ connectionString: service.database.ownerUrl });
    await client.connect();
    // Copies need no order of tables without foreign keys.
    await client.query('SET session_replication_role = replica');
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
         JOIN information_schema.tables USING (table_schema, table_name)
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' GROUP BY 1`,
    );
    for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
    const tables = new Map(rows.map(({ name, columns }) => [name, columns]));
    return new LargeTenant(tenant, admin, guest, samples, client, tables);
  }

  async fill(documents: number): Promise<void> {
    const { tenant, samples, guest, client } = this;
    for (const [table, rows, columns] of rowsOf(documents, samples, guest))
      await this.copy(
        table,
        columns,
        '(SELECT * FROM one LIMIT 1)',
        `CROSS JOIN generate_series(1, ${rows}) n`,
      );
    for (const [key, column, value, rows] of VALUES)
      await client.query(
        `INSERT INTO document_values (tenant_id, document_id, field_id, created_at, ${column})
         SELECT d.tenant_id, d.id, f.id, d.created_at, ${value}
           FROM document_type_fields f
           JOIN documents d ON d.tenant_id = f.tenant_id AND d.document_type_id = f.document_type_id
          WHERE f.tenant_id = $1 AND f.key = $2 LIMIT $3`,
        [tenant.id, key, rows],
      );
    await client.query(
      `INSERT INTO document_words (tenant_id, word, document_id)
       SELECT d.tenant_id, 'wort' || translate(md5(d.id::text), '0123456789', 'ghijklmnop'), d.id
         FROM documents d WHERE d.tenant_id = $1`,
      [tenant.id],
    );
    await tenant.increaseAccessVersion();
  }

  /** Gives other tenants the same rows. */
  async copyTo(otherTenants: number): Promise<void> {
    for (let n = 0; n < otherTenants; n += 1)
      for (const [table, columns] of this.tables)
        if (columns.includes('tenant_id') && !NOT_COPIED.includes(table))
          await this.copy(table, { tenant_id: `'${randomUUID()}'` });
  }

  /** Inserts copies of the rows of the tenant; `users` has no tenant. */
  private async copy(
    table: string,
    changed: Readonly<Record<string, string>>,
    from = 'one',
    times = '',
  ): Promise<void> {
    const columns = this.tables.get(table) ?? [];
    const rows = columns.includes('tenant_id') ? `WHERE tenant_id = '${this.tenant.id}'` : '';
    await this.client.query(
      `WITH one AS (SELECT * FROM ${table} ${rows})
       INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${columns.map((column) => changed[column] ?? `t.${column}`).join(', ')} FROM ${from} t ${times}
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Ends the connection. */
  async stop(): Promise<void> {
    await this.client.end();
  }

  /** Runs a statement as the owner of the tables. */
  async run(sql: string): Promise<void> {
    await this.client.query(sql);
  }
}
