import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { newId } from '../../../../src/common/identifier.js';
import { type AuditEntryResponse } from '../../../../src/resources/audit-log/audit-log.dto.js';
import { textHash } from '../../../../src/resources/audit-log/evidence/tree/leaf.js';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { recordTags } from '../../../platform/events/event-log.js';
import { type Actor } from '../../../support/actor.js';
import { expectProblem } from '../../../support/expect-problem.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';
import { isProved, proofOf, treeComplete } from './evidence-fixture.js';

describe('GetAuditProof', () => {
  let tenant: TestTenant;
  let auditor: Actor;
  let firstId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    auditor = await tenant.as('auditor');
    const [first] = await treeComplete(tenant);
    firstId = first?.entry_id ?? '';
  });

  const send = (actor: Actor, id = firstId, query = '') =>
    actor.get(`/audit-log/entries/${id}/proof${query}`);

  it('returns 200 with leaf, opening, hashes and checkpoint, and writes nothing', async () => {
    const admin = await tenant.as('administrator', 'Ada Straße');
    const { id: tagId } = (await admin.post('/tags', { name: 'Bau "1"' }).expect(201)).body as { id: string };
    const entry = (await treeComplete(tenant)).at(-1)!;
    await send(auditor, entry.entry_id);
    const before = await tenant.fingerprint();

    const proof = await proofOf(auditor, entry.entry_id);

    expect(proof).toEqual({
      sequence: 1,
      treeSize: 2,
      leaf: expect.any(String),
      opening: {
        salt: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
        actorName: 'Ada Straße',
        contentVersion: null,
        related: {},
        summary: 'Bau "1"',
      },
      hashes: [expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/)],
      checkpoint: expect.any(String),
    });
    const salt = Buffer.from(proof.opening!.salt, 'base64');
    const text = createHash('sha256')
      .update(salt)
      .update('{"actorName":"Ada Straße","contentVersion":null,"related":{},"summary":"Bau \\"1\\""}')
      .digest('base64url');
    const { items } = (await auditor.get('/audit-log').expect(200)).body as { items: AuditEntryResponse[] };
    const { occurredAt } = items[0]!;
    expect(proof.leaf).toBe(
      `{"action":"TagCreated","actorId":"${admin.userId}","id":"${entry.entry_id}","occurredAt":"${occurredAt}",` +
        `"subjectId":"${tagId}","subjectType":"Tag","text":"${text}","v":1}`,
    );
    expect(await isProved(auditor, proof)).toBe(true);
    expect(await tenant.fingerprint()).toEqual(before);
  });

  it('returns 200 with a valid proof for each entry and each size of the tree', async () => {
    await recordTags(tenant, 20);
    const events = await treeComplete(tenant);
    for (const { sequence, entry_id } of events) {
      for (let size = sequence + 1; size <= events.length; size += 3)
        expect(await isProved(auditor, await proofOf(auditor, entry_id, `?size=${size}`))).toBe(true);
    }
  });

  it('returns 200 with a valid proof before, at and after a full tile', async () => {
    await recordTags(tenant, 254);
    await treeComplete(tenant);
    for (const count of [0, 1, 1, 254, 1, 500]) {
      await recordTags(tenant, count);
      const events = await treeComplete(tenant);
      for (const { entry_id } of [events[0]!, events[200]!, events.at(-1)!])
        expect(await isProved(auditor, await proofOf(auditor, entry_id))).toBe(true);
    }
  });

  it('returns 200 with a different salt for each entry', async () => {
    await recordTags(tenant, 300);
    const events = await treeComplete(tenant);
    const proofs = await Promise.all(events.slice(-20).map(({ entry_id }) => proofOf(auditor, entry_id)));
    expect(new Set(proofs.map(({ opening }) => opening?.salt)).size).toBe(20);
  });

  describe('for an entry about a confidential document', () => {
    let admin: Actor;
    let documentId: string;
    let fileId: string;
    let entryIds: string[];

    beforeEach(async () => {
      admin = await tenant.as('administrator', 'Secret actor');
      ({ id: fileId } = await saveFile(tenant, admin));
      ({ id: documentId } = await saveDocument(tenant, admin, { title: 'Secret title' }));
      await admin.put(`/documents/${documentId}/files/${fileId}`).expect(204);
      await admin.put(`/documents/${documentId}/confidentiality`, { isConfidential: true }).expect(200);
      await treeComplete(tenant);
      const entries = await tenant.query<{ id: string }>(
        'SELECT id FROM audit_entries WHERE tenant_id = $1 AND subject_id = $2',
        documentId,
      );
      entryIds = entries.map(({ id }) => id);
      expect(entryIds).toHaveLength(2);
    });

    it('returns 200 with a valid proof without an opening to a caller who is not on its list', async () => {
      for (const id of entryIds) {
        const response = await send(auditor, id);
        expect(response.body).toMatchObject({ opening: null });
        for (const text of ['Secret', fileId, 'salt']) expect(response.text).not.toContain(text);
        expect(await isProved(auditor, await proofOf(auditor, id))).toBe(true);
      }
    });

    it('returns 200 with the same leaf, and with the opening, to a caller on its list', async () => {
      for (const id of entryIds) {
        const [closed, open] = [await proofOf(auditor, id), await proofOf(admin, id)];
        expect(open.leaf).toBe(closed.leaf);
        expect(open.opening).toMatchObject({ actorName: 'Secret actor' });
        expect((JSON.parse(open.leaf) as { text: string }).text).toBe(textHash(open.opening!));
      }
    });

    it('returns 200 without an opening after the document was purged', async () => {
      await service.query('DELETE FROM document_confidential_users WHERE document_id = $1', [documentId]);
      await service.query('DELETE FROM document_files WHERE document_id = $1', [documentId]);
      await service.query('DELETE FROM documents WHERE id = $1', [documentId]);
      for (const id of entryIds) expect(await proofOf(admin, id)).toMatchObject({ opening: null });
    });
  });

  it.each(['0', '2', '-1', '', 'x', '1e3', '9007199254740992'])(
    'returns 400 for the size "%s"',
    async (size) => expectProblem(await send(auditor, firstId, `?size=${size}`), 'request.invalid', ['size']),
  );

  it('returns 400 for the size of a tree without the entry', async () => {
    await recordTags(tenant, 3);
    const last = (await treeComplete(tenant)).at(-1)!;
    expectProblem(await send(auditor, last.entry_id, '?size=3'), 'request.invalid', ['size']);
  });

  it.each([newId(), 'x'])('returns 404 for the id %s', async (id) =>
    expectProblem(await send(auditor, id), 'resource.not-found'),
  );

  it('returns 404 for an entry of another tenant', async () => {
    const [entry] = await treeComplete(await service.tenant());
    expectProblem(await send(auditor, entry!.entry_id), 'resource.not-found');
  });

  it.each([
    ['leaf', 'UPDATE audit_trees SET size = 0 WHERE tenant_id = $1'],
    ['sequence', 'DELETE FROM events WHERE tenant_id = $1'],
  ])('returns 409 with Retry-After for an entry without a %s', async (_, sql) => {
    await tenant.query(sql);
    const response = await send(auditor);
    expectProblem(response, 'evidence.not-yet');
    expect(response.headers['retry-after']).toBe('1');
  });
});
