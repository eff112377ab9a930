import type pg from 'pg';
import { type Configuration } from '../../config/configuration.js';
import { inTransaction } from '../../database/in-transaction.js';
import { queryOf } from '../../database/distribution/distributed-schema.js';
import { withVisibleRows } from '../../database/schema/visible-rows.js';
import { demoUser } from '../../identity/embedded/demo-users.js';
import { EMBEDDED_ISSUER, EMBEDDED_ISSUER_PATH, embeddedIssuerUrl } from '../../identity/issuer-url.js';

/** A user that still has memberships under an old URL, because another user has the stable issuer already. */
interface Conflict {
  readonly subject: string;
  readonly issuer: string;
}

/** Users under a URL in `$1`, if no user with the same subject has the stable issuer name `$2`. */
const WITHOUT_STABLE_ISSUER = `u.issuer = ANY($1) AND NOT EXISTS (SELECT FROM users n WHERE n.issuer = $2 AND n.subject = u.subject)`;

/** Ids of users under a URL in `$1` that are members. */
const MEMBERS = `SELECT DISTINCT m.user_id AS id FROM members m JOIN users u ON u.id = m.user_id WHERE u.issuer = ANY($1)`;

/**
 * Gives users of the embedded issuer its stable name as issuer. Up to release 0.1.0, users were stored with its URL,
 * which can change. If there are several users with the same subject, the one that is a member gets the name; if
 * several are members, the oldest.
 *
 * @param urls Current and former URLs of the embedded issuer.
 */
export async function setStableIssuer(
  client: pg.Client,
  urls: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const values = [urls, EMBEDDED_ISSUER];
  const found = await client.query(`SELECT FROM users u WHERE ${WITHOUT_STABLE_ISSUER} LIMIT 1`, values);
  if (found.rowCount === 0) return;
  const { rowCount, conflicts } = await inTransaction(client, async () => {
    // Other instances may create users at the same time.
    await client.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    // Citus changes a table and reads it from several shards in one transaction only in this mode.
    await client.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    const query = queryOf(client);
    const rows = await withVisibleRows(query, ['members'], () => query<{ id: string }>(MEMBERS, [urls]));
    const members = rows.map(({ id }) => id);
    const { rowCount } = await client.query(
      `UPDATE users SET issuer = $2, updated_at = now() WHERE id IN (
         SELECT DISTINCT ON (u.subject) u.id FROM users u WHERE ${WITHOUT_STABLE_ISSUER}
          ORDER BY u.subject, u.id = ANY($3::uuid[]) DESC, u.created_at, u.id)`,
      [...values, members],
    );
    const { rows: conflicts } = await client.query<Conflict>(
      'SELECT subject, issuer FROM users WHERE issuer = ANY($1) AND id = ANY($2::uuid[]) ORDER BY 1, 2',
      [urls, members],
    );
    return { rowCount, conflicts };
  });
  print(`${rowCount} users of the embedded issuer no longer depend on its URL`);
  for (const { subject, issuer } of conflicts)
    print(
      `Warning: there were two users ${subject}. The memberships of the one with the issuer ${issuer} were not transferred: add them again.`,
    );
}

/**
 * Current and former URLs of the embedded issuer. A former URL is found by the demo administrator, which each start
 * with the embedded issuer creates. Its address at `.example` cannot exist (RFC 2606), so no other issuer can have
 * verified it. Tenants can add users of any issuer as members, but cannot set their addresses.
 */
export async function embeddedIssuerUrls(
  client: pg.Client,
  configuration: Pick<Configuration, 'publicUrl' | 'embeddedIssuer'>,
): Promise<string[]> {
  const { subject, email } = demoUser('administrator');
  const { rows } = await client.query<{ issuer: string }>(
    `SELECT issuer FROM users
      WHERE subject = $1 AND email = $2 AND email_verified AND issuer LIKE 'http%' AND right(issuer, $4) = $3`,
    [subject, email, EMBEDDED_ISSUER_PATH, EMBEDDED_ISSUER_PATH.length],
  );
  const own = configuration.embeddedIssuer ? [embeddedIssuerUrl(configuration)] : [];
  return [...new Set([...own, ...rows.map(({ issuer }) => issuer)])];
}
