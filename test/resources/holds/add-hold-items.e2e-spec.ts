import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveDocument } from '../../factories/documents.js';
import { saveFile } from '../../factories/files.js';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { expectRefused } from '../../support/expect-refused.js';
import { remainingAfter } from '../../support/price.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

describe('AddHoldItems', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  let body: { fileIds: string[]; documentIds: string[] };
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    holdId = (await saveHold(tenant, manager)).id;
    body = {
      fileIds: [(await saveFile(tenant, manager)).id, (await saveFile(tenant, manager)).id],
      documentIds: [(await saveDocument(tenant, manager)).id],
    };
  });
  const send = (sent: object, actor = manager) => actor.post(`/holds/${holdId}/items`, sent);
  const held = async () => {
    const { items } = (await manager.get(`/holds/${holdId}/items?limit=200`)).body as {
      items: { subjectId: string }[];
    };
    return items.map(({ subjectId }) => subjectId).sort();
  };
  const expectInvalid = (sent: object, ...members: string[]) =>
    expectRefused(tenant, send(sent), 'request.invalid', members);

  it('returns 204 and writes an audit entry about each item that was not in the hold', async () => {
    await manager.put(`/holds/${holdId}/files/${body.fileIds[0]}`).expect(204);
    const response = await send(body);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await held()).toEqual([...body.fileIds, ...body.documentIds].sort());
    const entries = await tenant.audit();
    expect(entries.map(({ action, subject_type }) => `${action} ${subject_type}`).sort()).toEqual([
      'HoldItemAdded Document',
      'HoldItemAdded File',
      'HoldItemAdded File',
    ]);
    expect(new Set(entries.map(({ subject_id }) => subject_id)).size).toBe(3);
    expect((await tenant.expectNoChange(() => send(body))).status).toBe(204);
  });

  it.each([{}, { fileIds: [] }, { documentIds: [] }, { fileIds: null, documentIds: null }])(
    'returns 204 and writes nothing for %j',
    async (empty) => {
      expect((await tenant.expectNoChange(() => send(empty))).status).toBe(204);
    },
  );

  it('returns 204 for 1,000 items, which cost five requests, and 400 for one more', async () => {
    const saved = await tenant.query<{ id: string }>(
      `INSERT INTO documents (tenant_id, id, title, status, created_by)
       SELECT $1, gen_random_uuid(), 'x', 'Active', $2 FROM generate_series(1, 998) RETURNING id`,
      manager.userId,
    );
    const documentIds = saved.map(({ id }) => id);
    await expectInvalid({ ...body, documentIds: [...documentIds, ...body.documentIds] }, 'documentIds');
    await expectInvalid({ fileIds: Array.from({ length: 1001 }, () => randomUUID()) }, 'fileIds');
    await tenant.limitRequests(1, 100);
    // The first request after the change of the limit still has the former one.
    for (let n = 0; n < 2; n += 1) await manager.get('/me');
    const before = remainingAfter(await manager.get('/me'));
    const response = await send({ ...body, documentIds });
    await tenant.limitRequests(null, null);
    expect(response.status).toBe(204);
    expect(before - remainingAfter(response)).toBe(5);
    const [{ count = 0 } = {}] = await tenant.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM audit_entries WHERE tenant_id = $1 AND action = $2',
      'HoldItemAdded',
    );
    expect(count).toBe(1000);
  });

  it('returns 400 for files and documents that do not exist or are not visible, and adds none', async () => {
    const other = await service.tenant();
    const editor = await tenant.as('editor');
    const hidden = await saveDocument(tenant, editor, { confidentialTo: [editor] });
    await expectInvalid(
      {
        fileIds: [...body.fileIds, (await saveFile(other, manager)).id, body.documentIds[0]],
        documentIds: [hidden.id, ...body.documentIds, randomUUID()],
      },
      'fileIds[2]',
      'fileIds[3]',
      'documentIds[0]',
      'documentIds[2]',
    );
  });

  it('returns 400 for duplicates and for values that are no ids', async () => {
    const [fileId] = body.fileIds;
    await expectInvalid({ fileIds: fileId }, 'fileIds');
    await expectInvalid({ fileIds: [fileId, fileId?.toUpperCase(), 'x'] }, 'fileIds[1]', 'fileIds[2]');
    await expectInvalid({ documentIds: [5] }, 'documentIds[0]');
  });

  it('returns 409 for a released hold', async () => {
    await releaseHold(tenant, holdId);
    await expectRefused(tenant, send(body), 'hold.released');
  });
});
