import { saveAccessGrant } from '../../../factories/access-grants.js';
import { saveDocument } from '../../../factories/documents.js';
import { type Actor } from '../../../support/actor.js';
import { type TestService } from '../../../support/service/service.js';
import {
  type PopulatedTenant,
  type CrossTenantUsers,
  populateTenant,
  createCrossTenantUsers,
} from '../../support/populated-tenant.js';
import { type Slot } from '../../support/identifier-slot.js';
import { identifierIn } from '../../support/isolation-test.js';

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

/** Resources of a populated tenant that guests cannot see, by kind. Their role allows them to read tags and types. */
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

/** A populated tenant with guests who see one file or none, and many resources that they cannot see. */
export interface GuestFixture {
  readonly populated: PopulatedTenant;
  readonly administrator: Actor;
  readonly users: CrossTenantUsers;
  readonly guests: Readonly<Record<'with a Write grant' | 'with a Read grant' | 'without a grant', Actor>>;
}

export const GUEST_KINDS = ['with a Write grant', 'with a Read grant', 'without a grant'] as const;

export async function createGuestFixture(service: TestService): Promise<GuestFixture> {
  const users = await createCrossTenantUsers(service);
  const populated = await populateTenant(await service.tenant(), users);
  const { tenant } = populated;
  const administrator = users.administrator.inTenant(tenant);
  const fileId = identifierIn(populated, 'file');
  const secret = await saveDocument(tenant, administrator, {
    fileIds: [fileId],
    confidentialTo: [administrator],
  });
  const reader = await tenant.as('guest');
  await saveAccessGrant(tenant, reader, { file: fileId });
  return {
    populated: { ...populated, identifiers: { ...populated.identifiers, secretInFile: secret.id } },
    administrator,
    users,
    guests: {
      'with a Write grant': users.guest.inTenant(tenant),
      'with a Read grant': reader,
      'without a grant': await tenant.as('guest'),
    },
  };
}

function kindOf({ resource, field }: Slot): Kind | null {
  // Every member may ask for the names of members (ListUserNames).
  if (field === 'ids') return null;
  return KINDS.find(([, pattern]) => pattern.test(resource))?.[0] ?? null;
}

/** Ids for the slot that guests cannot see; empty when guests see all resources of the kind. */
export function hiddenIdentifiers(slot: Slot, { populated }: GuestFixture): string[] {
  const kind = kindOf(slot);
  return kind === null ? [] : HIDDEN[kind].map((name) => identifierIn(populated, name));
}

/** An id for the slot that a guest can see, if the kind has one. */
export function visibleIdentifier(slot: Slot, { populated }: GuestFixture): string {
  const kind = kindOf(slot);
  return identifierIn(populated, kind === 'file' || kind === 'document' ? kind : slot.resource);
}
