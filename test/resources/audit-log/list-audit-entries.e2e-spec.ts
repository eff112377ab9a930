import { beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '../../../src/common/identifier.js';
import { type AuditEntryResponse } from '../../../src/resources/audit-log/audit-log.dto.js';
import { type Page } from '../../../src/common/page.js';
import { addToList } from '../../factories/documents.js';
import { type Actor } from '../../support/actor.js';
import { expectProblem } from '../../support/expect-problem.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('ListAuditEntries', () => {
  let tenant: TestTenant;
  let auditor: Actor;

  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
  });

  async function saveEntry(values: Partial<Omit<AuditEntryResponse, 'actorName'>> = {}, of = tenant) {
    const row = {
      id: newId(),
      occurredAt: '2026-03-01T12:00:00.000Z',
      actorId: null,
      action: 'FileRenamed',
      subjectType: 'File',
      subjectId: newId(),
      summary: 'A summary',
      ...values,
    };
    await service.query(
      `INSERT INTO audit_entries (tenant_id, id, occurred_at, actor_id, action, subject_type, subject_id, summary)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [of.id, row.id, row.occurredAt, row.actorId, row.action, row.subjectType, row.subjectId, row.summary],
    );
    return { ...row, actorName: null };
  }

  async function list(
    query: Record<string, string> = {},
    actor = auditor,
  ): Promise<Page<AuditEntryResponse>> {
    const response = await actor.get('/audit-log').query(query);
    expect(response.status).toBe(200);
    return response.body as Page<AuditEntryResponse>;
  }

  /** Ids on the page, without the tenant's own TenantCreated entry. */
  async function ids(query: Record<string, string> = {}, actor = auditor): Promise<string[]> {
    const { items } = await list({ to: '2026-06-01T00:00:00Z', ...query }, actor);
    return items.map(({ id }) => id);
  }

  it('returns 200 with the entries, newest first, and writes nothing', async () => {
    const admin = await tenant.as('administrator', 'Ada Lovelace');
    const fileTypeId = newId();
    await service.query(
      `INSERT INTO file_types (tenant_id, id, key, name_de, name_en, sort_key) VALUES ($1, $2, 'case', 'Akte', 'Case', 'akte')`,
      [tenant.id, fileTypeId],
    );
    const created = await admin.post('/files', { fileTypeId, number: '1/26', name: 'Harbour' });
    expect(created.status).toBe(201);
    const { id: fileId } = created.body as { id: string };
    await service.query(`UPDATE users SET display_name = 'Somebody else now' WHERE id = $1`, [admin.userId]);
    const response = await tenant.expectNoChange(() => auditor.get('/audit-log'));

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          actorId: admin.userId,
          actorName: 'Ada Lovelace',
          action: 'FileCreated',
          subjectType: 'File',
          subjectId: fileId,
          summary: '1/26: Harbour',
        },
        expect.objectContaining({
          actorId: null,
          actorName: null,
          action: 'TenantCreated',
          subjectType: 'Tenant',
          subjectId: tenant.id,
        }),
      ],
      nextCursor: null,
    });
  });

  it('returns 200 with entries of the same time by descending id, stable while entries are added', async () => {
    const entries = [];
    for (const second of ['01', '02', '02', '02', '03']) {
      entries.push(await saveEntry({ occurredAt: `2026-03-01T12:00:${second}.000Z` }));
    }
    const expected = entries
      .sort((a, b) => (a.occurredAt + a.id < b.occurredAt + b.id ? 1 : -1))
      .map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { limit: '2', to: '2026-06-01T00:00:00Z' };
      const page = await list(cursor === null ? query : { ...query, cursor });
      seen.push(...page.items.map(({ id }) => id));
      // Newer than all others: it appears on no later page.
      await saveEntry({ occurredAt: '2026-03-01T13:00:00.000Z' });
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(expected);
  });

  it('returns 200 with as many items as limit, 50 by default, and no cursor on the last page', async () => {
    for (let i = 0; i < 52; i += 1) await saveEntry();
    const first = await list({ to: '2026-06-01T00:00:00Z' });
    expect(first.items).toHaveLength(50);
    const second = await list({ to: '2026-06-01T00:00:00Z', cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{}, {}], nextCursor: null });
    expect((await list({ limit: '200' })).items).toHaveLength(53);
    expect(await list({ to: '2026-06-01T00:00:00Z', limit: '52' })).toMatchObject({ nextCursor: null });
  });

  it('returns 200 filtered by action, actor, subject and time, alone and combined', async () => {
    const actorId = newId();
    const subjectId = newId();
    const at = (time: string) => `2026-03-01T${time}.000Z`;
    const a = await saveEntry({ occurredAt: at('08:00:00'), action: 'FileCreated', actorId, subjectId });
    const b = await saveEntry({ occurredAt: at('09:00:00'), action: 'FileCreated', actorId });
    const c = await saveEntry({ occurredAt: at('10:00:00'), action: 'FileClosed', actorId, subjectId });
    const d = await saveEntry({ occurredAt: at('11:00:00'), action: 'FileCreated', subjectId });

    expect(await ids()).toEqual([d.id, c.id, b.id, a.id]);
    expect(await ids({ action: 'FileCreated' })).toEqual([d.id, b.id, a.id]);
    expect(await ids({ actorId })).toEqual([c.id, b.id, a.id]);
    expect(await ids({ actorId: actorId.toUpperCase() })).toEqual([c.id, b.id, a.id]);
    expect(await ids({ subjectId })).toEqual([d.id, c.id, a.id]);
    expect(await ids({ action: 'FileCreated', actorId })).toEqual([b.id, a.id]);
    expect(await ids({ action: 'FileCreated', actorId, subjectId })).toEqual([a.id]);
    // `from` is inclusive, `to` is exclusive; a time may have any offset.
    expect(await ids({ from: at('09:00:00'), to: at('11:00:00') })).toEqual([c.id, b.id]);
    expect(await ids({ from: '2026-03-01T10:00:00+01:00', to: '2026-03-01T11:00:00.001Z' })).toEqual([
      d.id,
      c.id,
      b.id,
    ]);
    expect(await ids({ from: at('09:00:00'), to: at('09:00:00') })).toEqual([]);
    expect(await ids({ from: at('09:00:00'), actorId, action: 'FileCreated' })).toEqual([b.id]);
  });

  it('returns 200 with an empty page for an unknown action, actor or subject, or one of another tenant', async () => {
    const other = await service.tenant();
    const foreign = await saveEntry({ actorId: newId() }, other);
    await saveEntry();
    const queries: Record<string, string>[] = [
      { action: 'FileEaten' },
      { action: 'filerenamed' },
      { actorId: newId() },
      { subjectId: newId() },
      { actorId: foreign.actorId ?? '' },
      { subjectId: foreign.subjectId },
      { subjectId: other.id },
    ];
    for (const query of queries) {
      expect(await list(query)).toEqual({ items: [], nextCursor: null });
    }
    expect(await ids()).not.toContain(foreign.id);
  });

  describe('entries about a document', () => {
    async function document(confidential: boolean, ...listed: Actor[]): Promise<string> {
      const id = newId();
      await service.query(
        `INSERT INTO documents (tenant_id, id, title, status, is_confidential, created_by)
         VALUES ($1, $2, 'Offer', 'Active', $3, $4)`,
        [tenant.id, id, confidential, auditor.userId],
      );
      await addToList(tenant, id, ...listed);
      return id;
    }
    const about = (subjectId: string, action = 'DocumentUpdated', summary: string | null = 'Offer') =>
      saveEntry({ action, subjectType: 'Document', subjectId, summary });
    const summaries = async (subjectId: string, actor = auditor) =>
      (await list({ subjectId }, actor)).items.map(({ summary }) => summary);

    it('returns 200 with the summary while the document is not confidential', async () => {
      const id = await document(false);
      await about(id);
      expect(await summaries(id)).toEqual(['Offer']);
    });

    it('returns 200 without the summary for a caller who is not on the access list of the document', async () => {
      const [listed, admin] = [await tenant.as('auditor'), await tenant.as('administrator')];
      const id = await document(true, listed);
      const hidden = { ...(await about(id)), summary: null };
      await about(await document(true, admin));

      expect(await summaries(id, listed)).toEqual(['Offer']);
      expect(await summaries(id, admin)).toEqual([null]);
      expect((await list({ subjectId: id })).items).toEqual([hidden]);
      expect((await list({ action: 'DocumentUpdated' })).items.map(({ summary }) => summary)).toEqual([
        null,
        null,
      ]);
    });

    it("returns 200 with or without the summary by the document's current confidentiality", async () => {
      const id = await document(false);
      await about(id, 'DocumentCreated');
      await service.query('UPDATE documents SET is_confidential = true WHERE id = $1', [id]);
      await about(id, 'ConfidentialityChanged', 'Offer: confidential');
      expect(await summaries(id)).toEqual([null, null]);
      await service.query('UPDATE documents SET is_confidential = false WHERE id = $1', [id]);
      expect(await summaries(id)).toEqual(['Offer: confidential', 'Offer']);
    });

    it('returns 200 with the summary after a purge, unless the document was confidential', async () => {
      const [open, closed, lost] = [newId(), newId(), newId()];
      for (const id of [open, closed, lost]) await about(id);
      await about(open, 'DocumentPurged', 'Offer');
      await about(closed, 'DocumentPurged', null);
      expect(await summaries(open)).toEqual(['Offer', 'Offer']);
      expect(await summaries(closed)).toEqual([null, null]);
      // Neither the document nor the entry of its purge exists, so the summary stays hidden.
      expect(await summaries(lost)).toEqual([null]);
    });

    it('returns 200 with the summary of an entry about another type of subject with the same id', async () => {
      const id = await document(true);
      await saveEntry({ subjectId: id, summary: 'A file' });
      expect(await summaries(id)).toEqual(['A file']);
    });
  });

  it.each<[string, string[]]>([
    ['actorId=unknown', ['actorId']],
    ['subjectId=0199f7a46c1e7b529d2e3c5f0a1b2c3d', ['subjectId']],
    ['action=', ['action']],
    ['action=File%00Renamed', ['action']],
    ['from=2026-03-01', ['from']],
    ['from=2026-03-01T12:00:00', ['from']],
    ['to=2026-02-30T12:00:00Z', ['to']],
    ['to=infinity', ['to']],
    ['from=0001-01-01T00:00:00%2B14:00', ['from']],
    ['to=9999-12-31T23:59:59-14:00', ['to']],
    ['from=2026-03-01T12:00:00Z&to=2026-03-01T11:59:59.999Z', ['to']],
    ['from=2026-03-01T12:00:00%2B01:00&to=2026-03-01T12:00:00%2B02:00', ['to']],
    ['limit=0', ['limit']],
    ['limit=201', ['limit']],
    ['limit=1e1', ['limit']],
    ['cursor=nonsense', ['cursor']],
    ['action=FileCreated&action=FileClosed', ['action']],
    ['actorId=x&limit=x&from=2027-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', ['actorId', 'limit', 'to']],
  ])('returns 400 for %s', async (query, paths) => {
    await expectRefused(tenant, () => auditor.get(`/audit-log?${query}`), 'request.invalid', paths);
  });

  it('returns 400 for a cursor of another list, filter, caller or tenant, but not for another spelling', async () => {
    for (let i = 0; i < 3; i += 1) await saveEntry();
    const query = { limit: '2', from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
    const { nextCursor } = await list(query);
    const cursor = nextCursor ?? '';
    const colleague = await tenant.as('auditor');
    const elsewhere = await service.tenant();
    const admin = await tenant.as('administrator');
    await service.query(
      `INSERT INTO members (tenant_id, user_id, role_id) SELECT tenant_id, $2, id FROM roles WHERE tenant_id = $1 AND key = 'auditor'`,
      [elsewhere.id, auditor.userId],
    );

    for (const response of [
      await auditor.get('/audit-log').query({ limit: '2', cursor }),
      await auditor.get('/audit-log').query({ ...query, action: 'FileRenamed', cursor }),
      await colleague.get('/audit-log').query({ ...query, cursor }),
      await auditor
        .inTenant(elsewhere)
        .get('/audit-log')
        .query({ ...query, cursor }),
      await admin.get('/files').query({ cursor }),
    ]) {
      expectProblem(response, 'request.invalid', ['cursor']);
    }
    const respelled = await list({
      limit: '1',
      from: '2026-01-01T01:00:00.000+01:00',
      to: '2026-06-01T00:00:00Z',
      cursor,
    });
    expect(respelled.items).toHaveLength(1);
  });
});
