import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import { type Settlement, type Wanderers, settle, wanderers } from '../../support/settlement.js';
import { type Slot } from '../../support/slot.js';
import { thingIn } from '../../support/wall.js';

type Kind = 'file' | 'document' | 'member' | 'role' | 'grant' | 'invitation' | 'savedView' | 'notification';

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['file', /^(?:file|fileToClose|\w+File)$/],
  ['document', /^(?:document|documentTo\w+|\w+Document)$/],
  ['member', /member$/i],
  ['role', /role$/i],
  ['grant', /^grant$/],
  ['invitation', /^invitation$/],
  ['savedView', /view$/i],
  ['notification', /notification$/i],
];

/** What guests do not see of a settlement, by kind. Tags and types they do: their role says so. */
const HIDDEN: Readonly<Record<Kind, readonly string[]>> = {
  file: ['otherFile', 'closedFile', 'emptyFile'],
  document: ['archivedDocument', 'binnedDocument', 'confidentialDocument', 'secretInFile'],
  member: ['member', 'listedMember'],
  role: ['role'],
  grant: ['grant'],
  invitation: ['invitation'],
  savedView: ['savedView'],
  notification: ['notification'],
};

/** A tenant with guests who see one file of it, or none, and much that they do not see. */
export interface GuestGround {
  readonly home: Settlement;
  readonly chief: Actor;
  readonly people: Wanderers;
  /** By what they are. */
  readonly guests: Readonly<Record<'with a Write grant' | 'with a Read grant' | 'without a grant', Actor>>;
}

export const GUESTS = ['with a Write grant', 'with a Read grant', 'without a grant'] as const;

export async function guestGround(service: TestService): Promise<GuestGround> {
  const people = await wanderers(service);
  const settled = await settle(await service.tenant(), people);
  const { tenant } = settled;
  const chief = people.administrator.at(tenant);
  const fileId = thingIn(settled, 'file');
  const secret = await saveDocument(tenant, chief, { fileIds: [fileId], confidentialTo: [chief] });
  const reader = await tenant.as('guest');
  await saveAccessGrant(tenant, reader, { file: fileId });
  return {
    home: { ...settled, things: { ...settled.things, secretInFile: secret.id } },
    chief,
    people,
    guests: {
      'with a Write grant': people.guest.at(tenant),
      'with a Read grant': reader,
      'without a grant': await tenant.as('guest'),
    },
  };
}

function kindOf({ thing }: Slot): Kind | null {
  return KINDS.find(([, pattern]) => pattern.test(thing))?.[0] ?? null;
}

/** Ids that can be named in the place, of things that guests do not see; none where they see all of the kind. */
export function hiddenFor(slot: Slot, { home }: GuestGround): string[] {
  const kind = kindOf(slot);
  return kind === null ? [] : HIDDEN[kind].map((name) => thingIn(home, name));
}

/** What a guest names there who keeps to what guests see, where there is such a thing. */
export function seenFor(slot: Slot, { home }: GuestGround): string {
  const kind = kindOf(slot);
  return thingIn(home, kind === 'file' || kind === 'document' ? kind : slot.thing);
}
