import type pg from 'pg';
import { type Configuration } from '../../config/configuration.js';
import { DEMO_USERS } from '../../identity/embedded/demo-users.js';
import { EMBEDDED_ISSUER } from '../../identity/issuer-identity.js';
import { EMBEDDED_ISSUER_PATH, embeddedIssuerUrl } from '../../identity/issuer-url.js';

/** A person whose memberships belong to two users, of which only one could be kept. */
interface Conflict {
  readonly subject: string;
  readonly issuer: string;
}

/** $1 are the URLs that the embedded issuer had, $2 is its stable name. */
const WITHOUT_STABLE_ISSUER = `u.issuer = ANY($1) AND NOT EXISTS (SELECT FROM users n WHERE n.issuer = $2 AND n.subject = u.subject)`;

const IS_MEMBER = `EXISTS (SELECT FROM tenants t JOIN members m ON m.tenant_id = t.id AND m.user_id = u.id)`;

/**
 * Users of the embedded issuer, which up to release 0.1.0 were stored under its URL of that time, get its stable name.
 * Of several users of one person, the one who is a member gets it; of several such, the oldest.
 *
 * @param urls those that the embedded issuer has, and had
 */
export async function setStableIssuer(
  client: pg.Client,
  urls: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  if (!(await isNeeded(client, urls))) return;
  await client.query('BEGIN');
  try {
    // Instances that serve already create users.
    await client.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    await client.query('ALTER TABLE members NO FORCE ROW LEVEL SECURITY');
    const { rowCount } = await client.query(
      `UPDATE users SET issuer = $2, updated_at = now() WHERE id IN (
         SELECT DISTINCT ON (u.subject) u.id FROM users u WHERE ${WITHOUT_STABLE_ISSUER}
          ORDER BY u.subject, ${IS_MEMBER} DESC, u.created_at, u.id)`,
      [urls, EMBEDDED_ISSUER],
    );
    const { rows: conflicts } = await client.query<Conflict>(
      `SELECT u.subject, u.issuer FROM users u WHERE u.issuer = ANY($1) AND ${IS_MEMBER} ORDER BY 1, 2`,
      [urls],
    );
    await client.query('ALTER TABLE members FORCE ROW LEVEL SECURITY');
    await client.query('COMMIT');
    print(`${rowCount} users of the embedded issuer no longer depend on its URL`);
    for (const { subject, issuer } of conflicts)
      print(
        `Warning: ${subject} was two users. The memberships of the one at ${issuer} are not carried over: add them again.`,
      );
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/**
 * The URLs that the embedded issuer has, and had. A former one is known by the demo administrator, whom each start of
 * it creates: an address at `.example` cannot exist (RFC 2606), so no other issuer has verified it. Tenants can name
 * users of any issuer as members, but not give them an address.
 */
export async function embeddedIssuerUrls(
  client: pg.Client,
  configuration: Pick<Configuration, 'publicUrl' | 'embeddedIssuer'>,
): Promise<string[]> {
  const administrator = DEMO_USERS.find(({ roleKey }) => roleKey === 'administrator');
  const { rows } = await client.query<{ issuer: string }>(
    `SELECT issuer FROM users
      WHERE subject = $1 AND email = $2 AND email_verified AND issuer LIKE 'http%' AND right(issuer, $4) = $3`,
    [administrator?.subject, administrator?.email, EMBEDDED_ISSUER_PATH, EMBEDDED_ISSUER_PATH.length],
  );
  const own = configuration.embeddedIssuer ? [embeddedIssuerUrl(configuration)] : [];
  return [...new Set([...own, ...rows.map(({ issuer }) => issuer)])];
}

async function isNeeded(client: pg.Client, urls: readonly string[]): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT FROM users u WHERE ${WITHOUT_STABLE_ISSUER} LIMIT 1`, [
    urls,
    EMBEDDED_ISSUER,
  ]);
  return rowCount === 1;
}
