import { emailKey, parseEmailAddress } from '../../../common/email-address.js';
import type { BuiltInRoleKey } from '../../../common/vocabulary/built-in-roles.js';

/** Somebody whom the embedded issuer vouches for. */
export interface IssuerUser {
  readonly subject: string;
  readonly name: string;
  readonly email: string;
}

interface DemoUser extends IssuerUser {
  /** The role that this person has in the demo tenant. */
  readonly roleKey: BuiltInRoleKey;
}

function demoUser(roleKey: BuiltInRoleKey, name: string): DemoUser {
  return { subject: `demo-${roleKey}`, roleKey, name, email: `${roleKey}@demo.example` };
}

/** One for each built-in role. Their addresses can never be real: `.example` is reserved (RFC 2606). */
export const DEMO_USERS: readonly DemoUser[] = [
  demoUser('administrator', 'Alice Administrator'),
  demoUser('records_manager', 'Robert Records'),
  demoUser('editor', 'Emma Editor'),
  demoUser('viewer', 'Victor Viewer'),
  demoUser('auditor', 'Audrey Auditor'),
  demoUser('guest', 'Gustav Guest'),
];

/**
 * The person that a role key, a subject or an e-mail address names. An address that is nobody's of the demo
 * people makes a new person, whose subject is the address, so that it is the same person after a restart;
 * null for what is none of these.
 */
export function findIssuerUser(text: string): IssuerUser | null {
  const key = text.trim().toLowerCase();
  const known = DEMO_USERS.find(
    (person) => person.roleKey === key || person.subject === key || person.email === key,
  );
  if (known) return known;
  const address = parseEmailAddress(text);
  if (address === null) return null;
  const email = emailKey(address);
  return { subject: email, name: email.split('@')[0] ?? email, email };
}
