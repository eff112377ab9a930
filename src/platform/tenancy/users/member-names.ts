/**
 * SQL expressions for names of members. `m` is a row of `members`, `u` its row of `users`. All tenants share the
 * table of users, and members with `members.manage` can add any user by issuer and subject. Therefore name and
 * address are hidden until the user has sent a request to this tenant. The subject is visible, because the tenant
 * itself has entered it.
 */
const hasCalled = 'm.first_called_at IS NOT NULL';

export const MEMBER_EMAIL = `CASE WHEN ${hasCalled} THEN u.email END`;

export const MEMBER_DISPLAY_NAME = `CASE WHEN ${hasCalled} THEN u.display_name END`;

/** Name of a member in the audit log. */
export const MEMBER_NAME = `coalesce(CASE WHEN ${hasCalled} THEN coalesce(u.display_name, u.email) END, u.subject)`;

/** Sort key of members in lists. It must not reveal a hidden name by the position in the list or by a cursor. */
export const MEMBER_NAME_KEY = `CASE WHEN ${hasCalled} THEN u.name_key ELSE u.subject END`;

/** {@link MEMBER_NAME_KEY} in the order of lists. */
export const MEMBER_SORT_KEY = `(${MEMBER_NAME_KEY}) COLLATE "und-x-icu"`;
