import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../../src/common/identifier.js';
import { saveDocument, saveVersion } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { TestService } from '../../../support/service/service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { treeComplete, verified } from './evidence-fixture.js';

/** A row has the leaves of a batch. */
const ONE_LEAF_PER_ROW = `
  WITH batches AS (DELETE FROM audit_leaves WHERE tenant_id = $1 RETURNING *)
  INSERT INTO audit_leaves (tenant_id, sequence, hashes, salts)
  SELECT $1, b.sequence + i, substr(b.hashes, 1 + 32 * i, 32), substr(b.salts, 1 + 16 * i, 16)
    FROM batches b, generate_series(0, length(b.salts) / 16 - 1) i`;

/** Changes to the audit log by the owner of the database, and what the verifier says. */
describe('The verifier of audit logs', () => {
  let service: TestService;
  let tenant: TestTenant;
  let auditor: Actor;
  /** A checkpoint that was kept outside of the service. */
  let earlier: { readonly name: string; readonly note: string }[];

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  /** Sequences: 0 the tenant, 1 to 9 tags, 10 filing of a document in a file, 11 a download, 12 to 19 tags. */
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    const admin = await tenant.as('administrator');
    await recordTags(tenant, 9);
    await treeComplete(tenant);
    const { id: documentId } = await saveDocument(tenant, admin);
    await saveVersion(tenant, admin, documentId, { bytes: 'Text' });
    const { id: fileId } = await saveFile(tenant, admin);
    await admin.put(`/documents/${documentId}/files/${fileId}`).expect(204);
    await treeComplete(tenant);
    await admin.get(`/documents/${documentId}/content`).expect(200);
    await treeComplete(tenant);
    await recordTags(tenant, 3);
    await treeComplete(tenant);
    await keep();
    await recordTags(tenant, 5);
    await treeComplete(tenant);
  });

  async function keep(name = 'earlier.txt'): Promise<void> {
    const { text } = await auditor.get('/audit-log/checkpoint').expect(200);
    earlier = [...(name === 'earlier.txt' ? [] : earlier), { name, note: text }];
  }

  /** Row-level security is forced, also for the owner. */
  async function tamper(...statements: string[]): Promise<void> {
    const client = await service.owner.connect();
    try {
      for (const table of [
        'audit_entries',
        'events',
        'event_logs',
        'audit_trees',
        'audit_leaves',
        'audit_tiles',
      ])
        await client.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
      for (const statement of statements) await client.query(statement.replaceAll('$1', `'${tenant.id}'`));
    } finally {
      for (const table of [
        'audit_entries',
        'events',
        'event_logs',
        'audit_trees',
        'audit_leaves',
        'audit_tiles',
      ])
        await client.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
      client.release();
    }
  }

  const entry = (sequence: number) =>
    `tenant_id = $1 AND id = (SELECT entry_id FROM events WHERE tenant_id = $1 AND sequence = ${sequence})`;

  it('accepts a log that nobody changed, with and without the earlier checkpoint', async () => {
    expect(await verified(auditor)).toEqual([]);
    expect(await verified(auditor, { earlier })).toEqual([]);
  });

  it.each([
    ['the time', 5, `UPDATE audit_entries SET occurred_at = '2020-01-01T00:00:00Z' WHERE ${entry(5)}`],
    ['the actor', 5, `UPDATE audit_entries SET actor_id = '${newId()}' WHERE ${entry(5)}`],
    ['the action', 5, `UPDATE audit_entries SET action = 'TagDeleted' WHERE ${entry(5)}`],
    ['the subject', 5, `UPDATE audit_entries SET subject_id = '${newId()}' WHERE ${entry(5)}`],
    ['the text, with its salt kept', 5, `UPDATE audit_entries SET summary = 'other' WHERE ${entry(5)}`],
    ['the name of the actor', 10, `UPDATE audit_entries SET actor_name = 'Other' WHERE ${entry(10)}`],
    [
      'the related ids',
      10,
      `UPDATE audit_entries SET related = '{"fileId":"${newId()}"}' WHERE ${entry(10)}`,
    ],
    [
      'the version that was downloaded',
      11,
      `UPDATE audit_entries SET content_version = 2 WHERE ${entry(11)}`,
    ],
  ])('finds a change of %s', async (_, sequence, statement) => {
    await tamper(statement);
    expect(await verified(auditor)).toEqual([`Entry ${sequence} was altered.`]);
  });

  it('finds a deleted entry', async () => {
    await tamper(`DELETE FROM audit_entries WHERE ${entry(7)}`);
    expect(await verified(auditor)).toEqual(['Entry 7 is missing.']);
  });

  it('finds a deleted entry whose event was deleted, too', async () => {
    await tamper(
      `DELETE FROM audit_entries WHERE ${entry(7)}`,
      'DELETE FROM events WHERE tenant_id = $1 AND sequence = 7',
    );
    expect(await verified(auditor)).toEqual(['Entry 7 is missing.']);
  });

  it('finds an inserted entry, and the entries behind it', async () => {
    const id = newId();
    await tamper(
      'UPDATE events SET sequence = -sequence - 1 WHERE tenant_id = $1 AND sequence >= 17',
      'UPDATE events SET sequence = -sequence WHERE tenant_id = $1 AND sequence < 0',
      `INSERT INTO audit_entries (tenant_id, id, action, subject_type, subject_id) VALUES ($1, '${id}', 'TagCreated', 'Tag', '${id}')`,
      `INSERT INTO events (tenant_id, sequence, entry_id, type) VALUES ($1, 17, '${id}', 'TagCreated')`,
    );
    expect((await verified(auditor))[0]).toBe('Entry 17 was altered.');
  });

  it('finds two entries that were swapped', async () => {
    await tamper(
      ONE_LEAF_PER_ROW,
      'UPDATE events SET sequence = -1 WHERE tenant_id = $1 AND sequence = 3',
      'UPDATE events SET sequence = 3 WHERE tenant_id = $1 AND sequence = 6',
      'UPDATE events SET sequence = 6 WHERE tenant_id = $1 AND sequence = -1',
      // The salts stay at their places, so the attacker swaps the leaves, too.
      'UPDATE audit_leaves SET sequence = -1 WHERE tenant_id = $1 AND sequence = 3',
      'UPDATE audit_leaves SET sequence = 3 WHERE tenant_id = $1 AND sequence = 6',
      'UPDATE audit_leaves SET sequence = 6 WHERE tenant_id = $1 AND sequence = -1',
    );
    expect(await verified(auditor, { earlier })).toEqual([
      'The log does not continue earlier.txt: it was rebuilt between the beginning and size 15.',
    ]);
  });

  it('finds two entries that were swapped below their stored hashes', async () => {
    await tamper(
      ONE_LEAF_PER_ROW,
      `CREATE TEMP TABLE swapped AS SELECT sequence, salts FROM audit_leaves WHERE tenant_id = $1 AND sequence IN (3, 6)`,
      'UPDATE events SET sequence = -1 WHERE tenant_id = $1 AND sequence = 3',
      'UPDATE events SET sequence = 3 WHERE tenant_id = $1 AND sequence = 6',
      'UPDATE events SET sequence = 6 WHERE tenant_id = $1 AND sequence = -1',
      'UPDATE audit_leaves l SET salts = s.salts FROM swapped s WHERE l.tenant_id = $1 AND l.sequence = 9 - s.sequence',
      'DROP TABLE swapped',
    );
    expect(await verified(auditor)).toEqual([
      'Entry 3 was reordered: it is the entry that was recorded as 6.',
      'Entry 6 was reordered: it is the entry that was recorded as 3.',
    ]);
  });

  it('finds that the newest entries were cut off, by the earlier checkpoint', async () => {
    await tamper(
      'DELETE FROM events WHERE tenant_id = $1 AND sequence >= 13',
      'UPDATE event_logs SET next_sequence = 13 WHERE tenant_id = $1',
      'DELETE FROM audit_leaves WHERE tenant_id = $1 AND sequence >= 13',
      'UPDATE audit_trees SET size = 13 WHERE tenant_id = $1',
    );
    expect(await verified(auditor)).toEqual([]);
    expect(await verified(auditor, { earlier })).toEqual([
      'earlier.txt states 15 entries, but the log has 13: the newest were cut off.',
    ]);
  });

  it('finds that the whole tree was replaced, and between which two checkpoints', async () => {
    await keep('later.txt');
    await recordTags(tenant, 4);
    await treeComplete(tenant);
    await keep('last.txt');
    // Changes an entry between the second and the third checkpoint, and lets the service build the tree again.
    await tamper(
      `UPDATE audit_entries SET subject_id = '${newId()}' WHERE ${entry(21)}`,
      'DELETE FROM audit_leaves WHERE tenant_id = $1 AND sequence >= 20',
      'UPDATE audit_trees SET size = 20 WHERE tenant_id = $1',
    );
    await recordTags(tenant);
    await treeComplete(tenant);
    expect(await verified(auditor)).toEqual([]);
    expect(await verified(auditor, { earlier })).toEqual([
      'The log does not continue last.txt: it was rebuilt between later.txt (size 20) and size 24.',
    ]);
  });

  it('accepts a checkpoint of a former log only with --continues', async () => {
    const [first] = earlier;
    const origin = first!.note.split('\n')[0]!;
    await tenant.query('UPDATE event_logs SET id = $2 WHERE tenant_id = $1', newId());
    expect(await verified(auditor, { earlier })).toEqual([
      `earlier.txt is of another log, ${origin}. If this one continues it, use --continues.`,
    ]);
    expect(await verified(auditor, { earlier, continues: [origin] })).toEqual([]);
  });

  it('refuses a checkpoint of another tenant under the name of this one', async () => {
    const other = await service.tenant();
    await treeComplete(other);
    const { text } = await (await other.as('auditor')).get('/audit-log/checkpoint').expect(200);
    const [, state, signature = ''] = /^([^]*\n)\n— \S+ (\S+)\n$/.exec(text)!;
    // The same key has signed it. Only name and key id say for which tenant.
    const [name, id = ''] = (await auditor.get('/audit-log/keys').expect(200)).text.split('+');
    const bytes = [Buffer.from(id, 'hex'), Buffer.from(signature, 'base64').subarray(4)];
    const note = `${state}\n— ${name} ${Buffer.concat(bytes).toString('base64')}\n`;
    expect(await verified(auditor, { earlier: [{ name: 'other.txt', note }] })).toEqual([
      'other.txt is not a checkpoint that one of the keys has signed.',
    ]);
  });

  it('needs an export from before the earlier checkpoint', async () => {
    expect(await verified(auditor, { earlier, query: '?fromSize=15' })).toEqual([]);
    expect(await verified(auditor, { earlier, query: '?fromSize=16' })).toEqual([
      'earlier.txt is older than the export: export from size 15 or before.',
    ]);
  });
});
