import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { DisposalExecution } from '../../../src/resources/disposals/disposal-execution.js';
import { BinPurge } from '../../../src/resources/documents/bin/bin-purge.js';
import { putContent, saveDocument, saveVersion } from '../../factories/documents.js';
import { saveFile, saveFileType } from '../../factories/files.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { type Actor } from '../../support/actor.js';
import { sized } from '../../support/exhaustive.js';
import { SecondInstance } from '../../support/service/second-instance.js';
import { TestService } from '../../support/service/service.js';
import { type TestTenant } from '../../support/tenant.js';
import { ENDINGS } from './support/endings.js';
import { type Held, heldOf, lostOf } from './support/held.js';
import { type RecordState, expectNoLoss, recordState } from './support/losses.js';

const HISTORIES = sized(1, 12);
const STEPS = sized(20, 60);
/** Requests at the same time in a step. */
const AT_ONCE = 5;
const FILES = 4;
const DOCUMENTS = 10;
const HOLDS = 2;

/** In UTC. */
const TODAY = new Date().toISOString().slice(0, 10);

describe('Random histories with holds and disposals', () => {
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

  /** Holds and items that a step has placed. */
  const placed: [holdId: string, itemId: string][] = [];
  const place = async (holdId: string, itemId: string, request: PromiseLike<Response>) => {
    const response = await request;
    if (response.status === 204) placed.push([holdId, itemId]);
    return response;
  };
  /** Documents that a step takes out of files. */
  const mayLeave = new Set<string>();
  const unfiled = (ids: readonly string[]) => void ids.forEach((id) => mayLeave.add(id));
  /** Numbers of files that existed once. */
  const numbers: string[] = [];

  async function aDisposal(status: string): Promise<string> {
    const rows = await tenant.query<{ id: string }>(
      'SELECT id FROM disposals WHERE tenant_id = $1 AND status = $2 ORDER BY id',
      status,
    );
    return rows.length > 0 ? any(rows).id : fileTypeId;
  }
  const onDisposal = async (status: string, path: string, body: object = {}) =>
    caller().post(`/disposals/${await aDisposal(status)}/${path}`, body);

  /** Changes of rule and time run alone, so that it is known what was due during a step. */
  const setting: Record<string, () => PromiseLike<unknown>> = {
    'change the rule': () =>
      caller().put(`/file-types/${fileTypeId}/retention`, {
        period: any(['P1M', 'P1M', 'P10Y', null]),
        startsAt: 'Closing',
        disposition: any(['Destroy', 'Review']),
      }),
    'move the time by a month': () =>
      tenant.query(`WITH closed AS (
           UPDATE files SET closed_at = closed_at - interval '40 days' WHERE tenant_id = $1 AND closed_at IS NOT NULL)
         UPDATE documents SET deleted_at = deleted_at - interval '40 days' WHERE tenant_id = $1 AND status = 'Deleted'`),
  };

  const actions: Record<string, () => PromiseLike<Response | void>> = {
    close: () => caller().post(`/files/${any(files)}/close`),
    reopen: () => caller().post(`/files/${any(files)}/reopen`),
    'hold a file': () => {
      const [holdId, id] = [any(holds), any(files)];
      return place(holdId, id, caller().put(`/holds/${holdId}/files/${id}`));
    },
    'hold a document': () => {
      const [holdId, id] = [any(holds), any(documents)];
      return place(holdId, id, caller().put(`/holds/${holdId}/documents/${id}`));
    },
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
    unfile: () => {
      const id = any(documents);
      unfiled([id]);
      return caller().delete(`/documents/${id}/files/${any(files)}`);
    },
    delete: () => caller().delete(`/documents/${any(documents)}`),
    restore: () => caller().post(`/documents/${any(documents)}/restore`),
    'delete in bulk': () => bulk('Delete'),
    'unfile in bulk': () => {
      const documentIds = someDocuments();
      unfiled(documentIds);
      return bulk('Unfile', { documentIds, fileIds: [any(files)] });
    },
    move: () => {
      const id = any(documents);
      unfiled([id]);
      const [fromFileId, toFileId] = random.shuffled(files);
      return caller().post(`/documents/${id}/move`, { fromFileId, toFileId });
    },
    'move in bulk': () => {
      const documentIds = someDocuments();
      unfiled(documentIds);
      const [fromFileId, toFileId] = random.shuffled(files);
      return bulk('Move', { documentIds, fromFileId, toFileId });
    },
    'file in bulk': () => bulk('File', { fileIds: [any(files)] }),
    'restore in bulk': () => bulk('Restore'),
    'change a title': () =>
      caller().put(`/documents/${any(documents)}`, { title: `T${random.between(1, 1e6)}` }),
    'replace a content': () => putContent(caller(), any(documents), `C${random.between(1, 1e6)}`),
    'restore a version': () => caller().post(`/documents/${any(documents)}/versions/1/restore`),
    archive: () => caller().post(`/documents/${any(documents)}/${any(['archive', 'unarchive'])}`),
    'delete a file': () => caller().delete(`/files/${any(files)}`),
    'gather due files': () => caller().post('/disposals', { name: 'Due', fileTypeId, dueBefore: TODAY }),
    decide: async () =>
      caller().put(`/disposals/${await aDisposal('Draft')}`, {
        name: 'Decided',
        ...any([{ decision: 'Destroy' }, { decision: 'Keep', keepUntil: '2099-12-31' }]),
      }),
    'take a file out': async () =>
      caller().delete(`/disposals/${await aDisposal('Draft')}/files/${any(files)}`),
    submit: () => onDisposal('Draft', 'submit'),
    approve: () => onDisposal('Submitted', 'approve'),
    reject: () => onDisposal('Submitted', 'reject', { reason: 'Later' }),
    'delete a disposal': async () => caller().delete(`/disposals/${await aDisposal('Draft')}`),
    'carry out': async () =>
      any([service.app, second.app])
        .get(DisposalExecution)
        .execute(tenant.id, await aDisposal('Approved')),
    // A whole disposal, which the random order of its steps rarely completes.
    dispose: async () => {
      const [maker, approver] = [callers[0]!, callers[2]!];
      const created = await maker.post('/disposals', { name: 'All', fileTypeId, dueBefore: TODAY });
      const path = `/disposals/${(created.body as { id?: string }).id ?? fileTypeId}`;
      await maker.put(path, { name: 'All', decision: 'Destroy' });
      await maker.post(`${path}/submit`);
      await approver.post(`${path}/approve`);
      await any([service.app, second.app]).get(DisposalExecution).execute(tenant.id, path.split('/')[2]!);
    },
    'use a number again': () => caller().post('/files', { fileTypeId, number: any(numbers), name: 'Again' }),
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
      (await tenant.query<{ id: string }>(`SELECT id FROM ${table} WHERE tenant_id = $1`)).map(
        ({ id }) => id,
      );
    files = await left('files');
    while (files.length < FILES) files.push(await addFile());
    const known = await tenant.query<{ number: string }>('SELECT number FROM files WHERE tenant_id = $1');
    numbers.push(...known.map(({ number }) => number).filter((number) => !numbers.includes(number)));
    documents = await left('documents');
    while (documents.length < DOCUMENTS) documents.push(await addDocument());
  }

  let before: { held: Held[]; records: RecordState };
  const observe = async () => {
    before = { held: await heldOf(tenant), records: await recordState(tenant) };
  };
  const expectKept = async (place: object) => {
    const lost = lostOf(before.held, await heldOf(tenant), released);
    expect({ ...place, lost }).toEqual({ ...place, lost: [] });
    await expectNoLoss(tenant, before.records, await recordState(tenant), mayLeave);
  };

  async function begin(seed: number): Promise<void> {
    random = new SeededRandom(`holds ${seed}`);
    tenant = await service.tenant();
    const manager = await tenant.as('administrator');
    callers = [manager, second.actor(manager), await tenant.as('administrator')];
    fileTypeId = (await saveFileType(tenant)).id;
    [files, documents, holds] = [[], [], []];
    numbers.length = 0;
    await replenish();
    while (holds.length < HOLDS)
      holds.push(((await manager.post('/holds', { name: 'First', reason: 'x' })).body as { id: string }).id);
  }

  const newHold = async () =>
    ((await callers[0]!.post('/holds', { name: 'New', reason: 'x' }).expect(201)).body as { id: string }).id;
  const setRule = (period: string | null) =>
    callers[0]!
      .put(`/file-types/${fileTypeId}/retention`, { period, startsAt: 'Closing', disposition: 'Destroy' })
      .expect(200);

  async function end(): Promise<void> {
    const [manager, , approver] = callers as [Actor, Actor, Actor];
    const disposalOf = (app: TestService['app']) => app.get(DisposalExecution);
    for (const name of random.shuffled(Object.keys(ENDINGS))) {
      released.clear();
      mayLeave.clear();
      await observe();
      await ENDINGS[name]!({
        ...{ random, manager, approver, fileTypeId, newHold, setRule },
        observe: async () => {
          await expectKept({ ending: name });
          await observe();
        },
        passTime: setting['move the time by a month']!,
        execute: (id) => disposalOf(any([service.app, second.app])).execute(tenant.id, id),
        purge: () => any([service.app, second.app]).get(BinPurge).purge(),
      });
      await expectKept({ ending: name });
    }
  }

  it.each(Array.from({ length: HISTORIES }, (_, n) => n + 1))(
    'lose nothing that is held, in history %i',
    async (seed) => {
      await begin(seed);
      const outcomes = new Map<string, Set<number>>();
      for (let step = 1; step <= STEPS; step += 1) {
        await setting[any(Object.keys(setting))]!();
        await observe();
        released.clear();
        mayLeave.clear();
        placed.length = 0;
        const chosen = Array.from({ length: AT_ONCE }, () => any(Object.keys(actions)));
        await Promise.all(
          chosen.map(async (name) => {
            const response = await actions[name]!();
            if (!response) return;
            expect([name, response.status < 500]).toEqual([name, true]);
            outcomes.set(name, (outcomes.get(name) ?? new Set()).add(response.status));
          }),
        );
        const statement = `SELECT hold_id || ' ' || file_id AS key FROM hold_files WHERE tenant_id = $1
               UNION ALL SELECT hold_id || ' ' || document_id FROM hold_documents WHERE tenant_id = $1`;
        const items = new Set((await tenant.query<{ key: string }>(statement)).map(({ key }) => key));
        const gone = placed.filter(
          ([holdId, itemId]) =>
            ![`${holdId} null`, `${holdId} ${itemId}`].some((key) => released.has(key)) &&
            !items.has(`${holdId} ${itemId}`),
        );
        expect({ step, chosen, gone }).toEqual({ step, chosen, gone: [] });
        await expectKept({ step, chosen });
        await replenish();
      }
      // The history has both refusals and changes.
      const statuses = new Set([...outcomes.values()].flatMap((one) => [...one]));
      expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 409]));
      await end();
    },
  );
});
