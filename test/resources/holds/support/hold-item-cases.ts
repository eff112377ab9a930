import { beforeEach, expect, it } from '@jest/globals';
import { saveDocument } from '../../../factories/documents.js';
import { saveFile } from '../../../factories/files.js';
import { releaseHold, saveHold } from '../../../factories/holds.js';
import { type Actor } from '../../../support/actor.js';
import { expectRefused } from '../../../support/expect-refused.js';
import { service } from '../../../support/service/shared-service.js';
import { type TestTenant } from '../../../support/tenant.js';

export interface HoldItemUnderTest {
  readonly tenant: TestTenant;
  readonly manager: Actor;
  readonly holdId: string;
  /** Id of the file or the document. */
  readonly itemId: string;
  readonly send: (actor?: Actor, hold?: string, item?: string) => ReturnType<Actor['put']>;
  readonly isHeld: () => Promise<boolean>;
}

const ITEMS = {
  file: {
    type: 'File',
    text: 'AZ-1: Bauakte',
    save: (tenant: TestTenant, creator: Actor) =>
      saveFile(tenant, creator, { number: 'AZ-1', name: 'Bauakte' }),
  },
  document: {
    type: 'Document',
    text: 'Bescheid',
    save: (tenant: TestTenant, creator: Actor) => saveDocument(tenant, creator, { title: 'Bescheid' }),
  },
} as const;

/** The cases that adding and removing a file or a document share. Returns the state of the current case. */
export function holdItemCases(item: keyof typeof ITEMS, method: 'put' | 'delete'): () => HoldItemUnderTest {
  const { type, text, save } = ITEMS[item];
  const isAdded = method === 'put';
  let state: HoldItemUnderTest;
  beforeEach(async () => {
    const tenant = await service.tenant();
    const manager = await tenant.as('records_manager', 'Rita');
    const { id: itemId } = await save(tenant, manager);
    const { id: holdId } = await saveHold(tenant, manager, isAdded ? {} : { [`${item}Ids`]: [itemId] });
    state = {
      ...{ tenant, manager, holdId, itemId },
      send: (actor = manager, hold = holdId, id = itemId) =>
        actor.send(method, `/holds/${hold}/${item}s/${id}`),
      isHeld: async () =>
        ((await manager.get(`/${item}s/${itemId}/retention`)).body as { isHeld: boolean }).isHeld,
    };
  });

  it(`returns 204 and writes an audit entry about the ${item}`, async () => {
    const { tenant, manager, holdId, itemId, send, isHeld } = state;
    const response = await send();
    expect([response.status, response.text, await isHeld()]).toEqual([204, '', isAdded]);
    const action = isAdded ? 'HoldItemAdded' : 'HoldItemRemoved';
    expect(await tenant.audit()).toEqual([manager.entry(action, type, itemId, text)]);
    const related = await tenant.query(
      `SELECT related FROM audit_entries WHERE tenant_id = $1 AND subject_id = $2`,
      itemId,
    );
    expect(related).toEqual([{ related: { holdId } }]);
    expect(await tenant.notifications()).toEqual([]);
  });

  it(`returns 404 for a ${item} that is not visible to the caller`, async () => {
    const { tenant, send } = state;
    const blind = await (item === 'file'
      ? tenant.with('holds.manage')
      : tenant.with('holds.manage', 'files.read'));
    await expectRefused(tenant, () => send(blind), 'resource.not-found');
  });

  it('returns 409 for a released hold', async () => {
    const { tenant, holdId, send } = state;
    await releaseHold(tenant, holdId);
    await expectRefused(tenant, () => send(), 'hold.released');
  });

  if (isAdded)
    it(`returns 204 and writes nothing when the hold contains the ${item} already`, async () => {
      const { tenant, send } = state;
      await send().expect(204);
      await tenant.expectNoChange(() => send().expect(204));
    });
  else {
    it(`returns 404 for a ${item} that the hold does not contain`, async () => {
      const { tenant, manager, send } = state;
      const other = await saveHold(tenant, manager);
      await expectRefused(tenant, () => send(manager, other.id), 'resource.not-found');
    });

    it(`keeps the ${item} held while another hold contains it`, async () => {
      const { tenant, manager, itemId, send, isHeld } = state;
      await saveHold(tenant, manager, { [`${item}Ids`]: [itemId] });
      await send().expect(204);
      expect(await isHeld()).toBe(true);
    });
  }

  if (item === 'document')
    it('returns 404 for a document whose access list does not have the caller', async () => {
      const { tenant, manager, holdId, send } = state;
      const editor = await tenant.as('editor');
      const hidden = await saveDocument(tenant, editor, { confidentialTo: [editor] });
      await saveHold(tenant, editor, { documentIds: [hidden.id] });
      await expectRefused(tenant, () => send(manager, holdId, hidden.id), 'resource.not-found');
    });

  return () => state;
}
