import { beforeEach, describe, expect, it } from '@jest/globals';
import { saveFile } from '../../factories/files.js';
import { releaseHold, saveHold } from '../../factories/holds.js';
import { type Actor } from '../../support/actor.js';
import { auditEntry } from '../../support/audit-entry.js';
import { expectRefused } from '../../support/expect-refused.js';
import { service } from '../../support/service/shared-service.js';
import { type TestTenant } from '../../support/tenant.js';

const NAMED = { number: 'AZ-1', name: 'Bauakte' };

describe('RemoveFileFromHold', () => {
  let tenant: TestTenant;
  let manager: Actor;
  let holdId: string;
  let fileId: string;
  beforeEach(async () => {
    tenant = await service.tenant();
    manager = await tenant.as('records_manager', 'Rita');
    fileId = (await saveFile(tenant, manager, NAMED)).id;
    holdId = (await saveHold(tenant, manager, { fileIds: [fileId] })).id;
  });
  const send = (actor = manager, hold = holdId, id = fileId) => actor.delete(`/holds/${hold}/files/${id}`);
  const isHeld = async () =>
    ((await manager.get(`/files/${fileId}/retention`)).body as { isHeld: boolean }).isHeld;

  describe('with another hold', () => {});
  describe('with another file', () => {});

  it('returns 204 and writes an audit entry about the file', async () => {
    const response = await send();
    expect([response.status, response.text, await isHeld()]).toEqual([204, '', false]);
    expect(await tenant.audit()).toEqual([
      auditEntry(manager, 'HoldItemRemoved', 'File', fileId, 'AZ-1: Bauakte'),
    ]);
    const related = await service.query(
      `SELECT related FROM audit_entries WHERE tenant_id = $1 AND subject_id = $2`,
      [tenant.id, fileId],
    );
    expect(related).toEqual([{ related: { holdId } }]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it('returns 404 for a file that the hold does not contain', async () => {
    const other = await saveHold(tenant, manager);
    await expectRefused(tenant, () => send(manager, other.id), 'resource.not-found');
  });

  it('keeps the file held while another hold contains it', async () => {
    await saveHold(tenant, manager, { fileIds: [fileId] });
    await send().expect(204);
    expect(await isHeld()).toBe(true);
  });

  it('returns 404 for a file that is not visible to the caller', async () => {
    const blind = await tenant.with('holds.manage');
    await expectRefused(tenant, () => send(blind), 'resource.not-found');
  });

  it('returns 409 for a released hold', async () => {
    await releaseHold(tenant, holdId);
    await expectRefused(tenant, () => send(), 'hold.released');
  });
});
