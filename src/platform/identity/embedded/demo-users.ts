import { DEMO_DOMAIN, emailKey, parseEmailAddress } from '../../../common/email-address.js';
import type { BuiltInRoleKey } from '../../../common/vocabulary/built-in-roles.js';

export interface IssuerUser {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
}

interface DemoUser extends IssuerUser {
  readonly roleKey: BuiltInRoleKey;
}

/** One user for each built-in role. */
const NAMES: Readonly<Record<BuiltInRoleKey, string>> = {
  administrator: 'Alice Administrator',
  records_manager: 'Robert Records',
  editor: 'Emma Editor',
  viewer: 'Victor Viewer',
  auditor: 'Audrey Auditor',
  guest: 'Gustav Guest',
};

export function demoUser(roleKey: BuiltInRoleKey): DemoUser {
  return { subject: `demo-${roleKey}`, roleKey, name: NAMES[roleKey], email: `${roleKey}@${DEMO_DOMAIN}` };
}

export const DEMO_USERS: readonly DemoUser[] = (Object.keys(NAMES) as BuiltInRoleKey[]).map(demoUser);

/**
 * Finds a user by role key, subject or e-mail address. Any other valid address gives a new user with the address
 * as subject, so that it is the same user after a restart. Null if `text` is none of these.
 */
export function findIssuerUser(text: string): IssuerUser | null {
  const key = text.trim().toLowerCase();
  const known = DEMO_USERS.find(
    ({ roleKey, subject, email }) => roleKey === key || subject === key || email === key,
  );
  if (known) return known;
  const address = parseEmailAddress(text);
  if (address === null) return null;
  const email = emailKey(address);
  return { subject: email, name: email.split('@')[0] ?? email, email };
}
