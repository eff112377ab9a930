import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { SeededRandom } from '../../faults/support/seeded-random.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';

const HISTORIES = sized(2, 40);
const STEPS = 30;
/** Requests at the same time in a step. */
const AT_ONCE = 5;
const FILES = 4;
const DOCUMENTS = 10;
const HOLDS = 2;

/** What a hold contains, directly or through a file, with all of it that must stay. */
interface Held {
  readonly holdId: string;
  readonly itemId: string;
  readonly fileId: string | null;
  readonly documentId: string | null;
  /** Title, values, content, and whether it is not in the bin. Null for a file. */
  readonly state: string | null;
}

const HELD = `
  SELECT h.id AS "holdId", i.file_id AS "itemId", i.file_id AS "fileId", NULL::uuid AS "documentId", NULL::text AS state
    FROM holds h JOIN hold_files i ON i.tenant_id = h.tenant_id AND i.hold_id = h.id
    JOIN files f ON f.tenant_id = h.tenant_id AND f.id = i.file_id
   WHERE h.tenant_id = $1 AND h.status = 'Active'
  UNION ALL
  SELECT x.hold_id, x.item_id, x.file_id, d.id,
         jsonb_build_array(d.title, d.fields, d.document_type_id, d.content_sha256, d.content_version)::text
    FROM (SELECT i.tenant_id, i.hold_id, i.document_id AS item_id, NULL::uuid AS file_id, i.document_id FROM hold_documents i
          UNION ALL
          SELECT i.tenant_id, i.hold_id, i.file_id, i.file_id, df.document_id
            FROM hold_files i JOIN document_files df ON df.tenant_id = i.tenant_id AND df.file_id = i.file_id) x
    JOIN holds h ON h.tenant_id = x.tenant_id AND h.id = x.hold_id AND h.status = 'Active'
    JOIN documents d ON d.tenant_id = x.tenant_id AND d.id = x.document_id
   WHERE x.tenant_id = $1`;

describe('Random histories with holds', () => {
  let service: TestService;
  let second: SecondInstance;
  let tenant: TestTenant;
  let callers: Actor[];
  let random: SeededRandom;
  let files: string[];
  let documents: string[];
  let holds: string[];
  let fileTypeId: string;
  beforeAll(async () => {
    service = await TestService.start();
    second = await SecondInstance.start(service);
  });
  afterAll(async () => {
    await second?.stop();
    await service.stop();
  });

  const any = <T>(items: readonly T[]) => random.pick(items);
  const someDocuments = () => random.shuffled(documents).slice(0, random.between(1, 4));
  const caller = () => any(callers);
  const bulk = (action: string, rest: object = {}) =>
    caller().post('/documents/bulk', { action, documentIds: someDocuments(), ...rest });
  /** Ids of holds that a step releases, and of items that it removes: these need not be kept. */
  const released = new Set<string>();
  const release = (holdId: string, itemId: string | null = null) => released.add(`${holdId} ${itemId}`);

  const actions: Record<string, () => PromiseLike<Response | void>> = {
    close: () => caller().post(`/files/${any(files)}/close`),
    reopen: () => caller().post(`/files/${any(files)}/reopen`),
    'hold a file': () => caller().put(`/holds/${any(holds)}/files/${any(files)}`),
    'hold a document': () => caller().put(`/holds/${any(holds)}/documents/${any(documents)}`),
    'hold several': () =>
      caller().post(`/holds/${any(holds)}/items`, { fileIds: [any(files)], documentIds: someDocuments() }),
    'remove a file from a hold': () => {
      const [holdId, id] = [any(holds), any(files)];
      release(holdId, id);
      return caller().delete(`/holds/${holdId}/files/${id}`);
    },
    'remove a document from a hold': () => {
      const [holdId, id] = [any(holds), any(documents)];
      release(holdId, id);
      return caller().delete(`/holds/${holdId}/documents/${id}`);
    },
    'release a hold': async () => {
      const holdId = any(holds);
      release(holdId);
      const response = await caller().post(`/holds/${holdId}/release`);
      const { id } = (await caller().post('/holds', { name: 'Next', reason: 'x' })).body as { id: string };
      if (response.status === 200) holds.splice(holds.indexOf(holdId), 1, id);
    },
    file: () => caller().put(`/documents/${any(documents)}/files/${any(files)}`),
    unfile: () => caller().delete(`/documents/${any(documents)}/files/${any(files)}`),
    delete: () => caller().delete(`/documents/${any(documents)}`),
    restore: () => caller().post(`/documents/${any(documents)}/restore`),
    'delete in bulk': () => bulk('Delete'),
    'unfile in bulk': () => bulk('Unfile', { fileIds: [any(files)] }),
    'file in bulk': () => bulk('File', { fileIds: [any(files)] }),
    'restore in bulk': () => bulk('Restore'),
    'change a title': () =>
      caller().put(`/documents/${any(documents)}`, { title: `T${random.between(1, 1e6)}` }),
    'replace a content': () => putContent(caller(), any(documents), `C${random.between(1, 1e6)}`),
    'restore a version': () => caller().post(`/documents/${any(documents)}/versions/1/restore`),
    archive: () => caller().post(`/documents/${any(documents)}/${any(['archive', 'unarchive'])}`),
    'delete a file': () => caller().delete(`/files/${any(files)}`),
    'change the rule': () =>
      caller().put(`/file-types/${fileTypeId}/retention`, {
        period: any(['P1M', 'P10Y', null]),
        startsAt: 'Closing',
        disposition: 'Destroy',
      }),
    'move the time by a month': async () => {
      await service.query(
        `UPDATE documents SET deleted_at = deleted_at - interval '31 days' WHERE tenant_id = $1 AND status = 'Deleted'`,
        [tenant.id],
      );
    },
    purge: () => any([service.app, second.app]).get(BinPurge).purge(),
  };

  const addFile = async () => (await saveFile(tenant, callers[0]!, { fileTypeId })).id;
  const addDocument = async () => {
    const { id } = await saveDocument(tenant, callers[0]!, { fileIds: random.shuffled(files).slice(0, 2) });
    await saveVersion(tenant, callers[0]!, id, { bytes: `first ${id}` });
    return id;
  };

  /** Replaces what is gone. */
  async function replenish(): Promise<void> {
    const left = async (table: string) =>
      (await service.query<{ id: string }>(`SELECT id FROM ${table} WHERE tenant_id = $1`, [tenant.id])).map(
        ({ id }) => id,
      );
    files = await left('files');
    while (files.length < FILES) files.push(await addFile());
    documents = await left('documents');
    while (documents.length < DOCUMENTS) documents.push(await addDocument());
  }

  const held = () => service.query<Held>(HELD, [tenant.id]);
  const binned = async () => {
    const rows = await service.query<{ id: string }>(
      `SELECT id FROM documents WHERE tenant_id = $1 AND status = 'Deleted'`,
      [tenant.id],
    );
    return new Set(rows.map(({ id }) => id));
  };

  async function begin(seed: number): Promise<void> {
    random = new SeededRandom(`holds ${seed}`);
    tenant = await service.tenant();
    const manager = await tenant.as('administrator');
    callers = [manager, second.actor(manager), await tenant.as('administrator')];
    fileTypeId = (await saveFileType(tenant)).id;
    [files, documents, holds] = [[], [], []];
    await replenish();
    while (holds.length < HOLDS)
      holds.push(((await manager.post('/holds', { name: 'First', reason: 'x' })).body as { id: string }).id);
  }

  it.each(Array.from({ length: HISTORIES }, (_, n) => n + 1))(
    'lose nothing that is held, in history %i',
    async (seed) => {
      await begin(seed);
      const outcomes = new Map<string, Set<number>>();
      for (let step = 1; step <= STEPS; step += 1) {
        const [before, binnedBefore] = [await held(), await binned()];
        released.clear();
        const chosen = Array.from({ length: AT_ONCE }, () => any(Object.keys(actions)));
        await Promise.all(
          chosen.map(async (name) => {
            const response = await actions[name]!();
            if (!response) return;
            expect([name, response.status < 500]).toEqual([name, true]);
            outcomes.set(name, (outcomes.get(name) ?? new Set()).add(response.status));
          }),
        );
        const after = new Set((await held()).map((one) => JSON.stringify(one)));
        const binnedAfter = await binned();
        const lost = before.filter(
          (one) =>
            !released.has(`${one.holdId} null`) &&
            !released.has(`${one.holdId} ${one.itemId}`) &&
            (!after.has(JSON.stringify(one)) ||
              (one.documentId !== null &&
                binnedAfter.has(one.documentId) &&
                !binnedBefore.has(one.documentId))),
        );
        expect({ step, chosen, lost }).toEqual({ step, chosen, lost: [] });
        await replenish();
      }
      // The history has both refusals and changes.
      const statuses = new Set([...outcomes.values()].flatMap((one) => [...one]));
      expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 409]));
    },
  );
});
