import type pg from 'pg';
import { type Configuration } from '../../config/configuration.js';
import { setupError, withSetupLock } from '../../database/service-role/service-role.js';
import { EMBEDDED_ISSUER, issuerIdentity, issuerUrl } from '../../identity/issuer-url.js';
import { embeddedIssuerUrls, setStableIssuer } from './embedded-identities.js';

const MAX_WARNINGS = 3;

/** Updates the users of the embedded issuer after a change of its URL, and warns about users of other issuers. */
export async function checkIssuer(
  ownerUrl: string,
  configuration: Configuration,
  print: (line: string) => void,
): Promise<void> {
  await withSetupLock(ownerUrl, async (client) => {
    try {
      const embedded = await embeddedIssuerUrls(client, configuration);
      if (configuration.embeddedIssuer) await setStableIssuer(client, embedded, print);
      await warnAboutOtherIssuers(client, configuration, embedded, print);
    } catch (error) {
      throw setupError('The users cannot be read', error);
    }
  });
}

async function warnAboutOtherIssuers(
  client: pg.Client,
  configuration: Configuration,
  embedded: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const own = issuerIdentity(configuration, issuerUrl(configuration));
  // Users without name and address are machines, or members who have never sent a request.
  const { rows } = await client.query<{ identity: string; users: string }>(
    `SELECT identity, count(*) AS users
       FROM (SELECT CASE WHEN issuer = ANY($1) THEN $2 ELSE issuer END AS identity FROM users
              WHERE issuer <> $3 AND (email IS NOT NULL OR display_name IS NOT NULL)) AS others
      WHERE identity <> $3 GROUP BY identity ORDER BY count(*) DESC, identity LIMIT $4`,
    [embedded, EMBEDDED_ISSUER, own, MAX_WARNINGS],
  );
  for (const { identity, users } of rows) {
    const remedy = identity === EMBEDDED_ISSUER ? 'Unset OIDC_ISSUER' : `Set OIDC_ISSUER=${identity}`;
    print(
      `Warning: users of ${nameOf(identity)} cannot log in (${users}): only access tokens of ${nameOf(own)} are accepted. ` +
        `${remedy} to let them in, or see "Another issuer" in docs/operations.md.`,
    );
  }
}

function nameOf(identity: string): string {
  return identity === EMBEDDED_ISSUER ? 'the embedded issuer' : identity;
}
