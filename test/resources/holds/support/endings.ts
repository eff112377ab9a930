import { type Response } from 'supertest';
import { putContent, saveDocument, saveVersion } from '../../../factories/documents.js';
import { saveExport } from '../../../factories/exports.js';
import { saveFile } from '../../../factories/files.js';
import { type SeededRandom } from '../../../support/seeded-random.js';
import { type Actor } from '../../../support/actor.js';
import { waitForBlockedStatements } from '../../../support/locks.js';

export interface Ending {
  readonly random: SeededRandom;
  readonly manager: Actor;
  readonly approver: Actor;
  readonly fileTypeId: string;
  readonly newHold: () => Promise<string>;
  /** Lets 40 days pass for all that is closed or deleted. */
  readonly passTime: () => PromiseLike<unknown>;
  readonly setRule: (period: string | null) => PromiseLike<unknown>;
  readonly execute: (disposalId: string) => Promise<void>;
  readonly purge: () => Promise<void>;
  /** Checks what has happened until now. What is held now, and what is not due now, must be there at the next call. */
  readonly observe: () => Promise<void>;
}

const NAME = 'Ending';
/** In UTC. */
const TODAY = new Date().toISOString().slice(0, 10);

/**
 * Sends a change that the service may refuse. Throws if the service did not understand it or found nothing to change: then
 * the ending would try nothing.
 */
async function attempt(change: PromiseLike<Response>): Promise<void> {
  const { status, text } = await change;
  if (status >= 300 && status !== 409) throw new Error(`An attempt was answered with ${status}: ${text}`);
}

/** A due file with a document, gathered with all others that are due, and approved. */
async function approved(
  { manager, approver, fileTypeId, passTime, setRule, observe }: Ending,
  approvedBy = approver,
): Promise<{ fileId: string; documentId: string; disposalId: string }> {
  const { tenant } = manager;
  await setRule('P1M');
  const { id: fileId } = await saveFile(tenant, manager, { fileTypeId });
  const { id: documentId } = await saveDocument(tenant, manager, { fileIds: [fileId] });
  await saveVersion(tenant, manager, documentId, { bytes: documentId });
  await manager.post(`/files/${fileId}/close`).expect(200);
  await passTime();
  const due = { name: NAME, fileTypeId, dueBefore: TODAY };
  const { id: disposalId } = (await manager.post('/disposals', due).expect(201)).body as { id: string };
  const path = `/disposals/${disposalId}`;
  await manager.put(path, { name: NAME, decision: 'Destroy' }).expect(200);
  await manager.post(`${path}/submit`).expect(200);
  await attempt(approvedBy.post(`${path}/approve`));
  await observe();
  return { fileId, documentId, disposalId };
}

/** Changes of a document that a hold must prevent. One of them is of two documents. */
function changesOf(manager: Actor): ((id: string, otherId: string) => PromiseLike<Response>)[] {
  return [
    (id) => manager.delete(`/documents/${id}`),
    (id, otherId) => manager.post('/documents/bulk', { action: 'Delete', documentIds: [otherId, id] }),
    (id) => manager.put(`/documents/${id}`, { title: 'Changed' }),
    (id) => putContent(manager, id, 'changed'),
  ];
}

/**
 * What random steps rarely do in this order. Each ends a history, in its state. The rules that everything must keep find
 * the errors, so an ending only says what to do.
 */
export const ENDINGS: Readonly<Record<string, (ending: Ending) => Promise<void>>> = {
  'approve what one has submitted': async (ending) => {
    const { disposalId } = await approved(ending, ending.manager);
    await ending.execute(disposalId);
  },

  'stop a disposal after its approval': async (ending) => {
    const { manager, random, setRule, newHold } = ending;
    for (const stop of random.shuffled(['hold', 'hold a document', 'reopen', 'rule', 'no rule'])) {
      const { fileId, documentId, disposalId } = await approved(ending);
      if (stop === 'hold') await manager.put(`/holds/${await newHold()}/files/${fileId}`).expect(204);
      if (stop === 'hold a document')
        await manager.put(`/holds/${await newHold()}/documents/${documentId}`).expect(204);
      // The service refuses to reopen it.
      if (stop === 'reopen')
        await manager.tenant.query(
          `UPDATE files SET status = 'Open', closed_at = NULL WHERE tenant_id = $1 AND id = $2`,
          fileId,
        );
      if (stop === 'rule') await setRule('P10Y');
      if (stop === 'no rule') await setRule(null);
      await ending.observe();
      await ending.execute(disposalId);
    }
  },

  'use the number of a destroyed file': async (ending) => {
    const { manager, fileTypeId } = ending;
    const { fileId, disposalId } = await approved(ending);
    const { number } = (await manager.get(`/files/${fileId}`)).body as { number: string };
    await ending.execute(disposalId);
    await attempt(manager.post('/files', { fileTypeId, number, name: 'Again' }));
  },

  'destroy what is in packages': async (ending) => {
    const { manager, random } = ending;
    const { fileId, disposalId } = await approved(ending);
    for (const status of random.shuffled(['Ready', 'Running'] as const))
      await saveExport(manager.tenant, manager, { status, fileIds: [fileId] });
    await ending.execute(disposalId);
  },

  'purge what is in the bin since today': async ({ manager, purge, observe, passTime, newHold }) => {
    const { tenant } = manager;
    const [{ id: held }, { id: old }] = [
      await saveDocument(tenant, manager),
      await saveDocument(tenant, manager),
    ];
    for (const id of [held, old]) await manager.delete(`/documents/${id}`).expect(204);
    await manager.put(`/holds/${await newHold()}/documents/${held}`).expect(204);
    await passTime();
    const { id: recent } = await saveDocument(tenant, manager);
    await manager.delete(`/documents/${recent}`).expect(204);
    await observe();
    await purge();
  },

  'change what is held': async ({ manager, random, fileTypeId, newHold, observe }) => {
    const { tenant } = manager;
    const { id: fileId } = await saveFile(tenant, manager, { fileTypeId });
    const { id } = await saveDocument(tenant, manager, { fileIds: [fileId] });
    await saveVersion(tenant, manager, id, { bytes: id });
    const item = random.pick([`documents/${id}`, `files/${fileId}`]);
    await manager.put(`/holds/${await newHold()}/${item}`).expect(204);
    const { id: otherId } = await saveDocument(tenant, manager);
    await observe();
    for (const change of random.shuffled(changesOf(manager))) await attempt(change(id, otherId));
  },

  // Each change waits between asking for holds and writing. A hold must wait for it.
  'place holds while something is changed': async ({ manager, random, fileTypeId, newHold, observe }) => {
    const { tenant } = manager;
    for (const change of random.shuffled(changesOf(manager))) {
      const fileId = (await saveFile(tenant, manager, { fileTypeId })).id;
      const { id } = await saveDocument(tenant, manager, { fileIds: [fileId] });
      await saveVersion(tenant, manager, id, { bytes: id });
      const { id: otherId } = await saveDocument(tenant, manager);
      const item = random.pick([`documents/${id}`, `files/${fileId}`]);
      const holdId = await newHold();
      const client = await tenant.service.owner.connect();
      try {
        await client.query('BEGIN');
        // Lets others lock rows, but not change them.
        await client.query('LOCK TABLE documents IN SHARE MODE');
        const changed = attempt(change(id, otherId));
        // Awaited below. If the test fails before that, its own error counts, not that of the closed connection.
        changed.catch(() => undefined);
        if (!(await waitForBlockedStatements(tenant.service))) throw new Error('The change did not wait.');
        const placed = attempt(manager.put(`/holds/${holdId}/${item}`)).then(observe);
        await Promise.race([placed, waitForBlockedStatements(tenant.service, 2)]);
        await client.query('COMMIT');
        await Promise.all([changed, placed]);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  },
};
