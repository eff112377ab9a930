/**
 * What a tenant may show of a user: SQL about a row `m` of `members` and the row `u` of `users` behind it. All tenants
 * share the users, and anybody who manages members can name one by issuer and subject. So name and address stay
 * hidden until the user has called this very tenant; the subject is what the tenant itself has named.
 */
const hasCalled = 'm.first_called_at IS NOT NULL';

export const MEMBER_EMAIL = `CASE WHEN ${hasCalled} THEN u.email END`;

export const MEMBER_DISPLAY_NAME = `CASE WHEN ${hasCalled} THEN u.display_name END`;

/** What the audit log calls a member. */
export const MEMBER_NAME = `coalesce(CASE WHEN ${hasCalled} THEN coalesce(u.display_name, u.email) END, u.subject)`;

/** What members are listed by. A position in the list, and a cursor, must not tell a hidden name either. */
export const MEMBER_NAME_KEY = `CASE WHEN ${hasCalled} THEN u.name_key ELSE u.subject END`;
