import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { emailKey } from '../../../common/email-address.js';
import { caseFold } from '../../../common/text.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { type VerifiedIdentity } from '../../identity/token-verifier.js';
import { type User } from '../access/caller.js';

const COLUMNS = `id, email, display_name AS "displayName"`;

/** A user without the members that come from the request's token. */
type StoredUser = Omit<User, 'verifiedEmail'>;

/** Users of all tenants. A row is created at the first request, and updated from the token's claims. */
@Injectable()
export class UsersRepository {
  /** Keys are the objects that the token verifier caches, so an entry is removed together with the cached token. */
  private readonly cache = new WeakMap<VerifiedIdentity, User>();

  constructor(private readonly dataSource: DataSource) {}

  cached(identity: VerifiedIdentity): User | undefined {
    return this.cache.get(identity);
  }

  async upsert(identity: VerifiedIdentity): Promise<User> {
    const { issuer, subject, email, emailVerified, displayName } = identity;
    const [written] = await this.dataSource.query<StoredUser[]>(
      `INSERT INTO users AS u (id, issuer, subject, email, email_key, email_verified, display_name, name_key)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (issuer, subject) DO UPDATE
         SET email = coalesce(excluded.email, u.email),
             email_key = coalesce(excluded.email_key, u.email_key),
             email_verified = CASE WHEN excluded.email IS NULL THEN u.email_verified ELSE excluded.email_verified END,
             display_name = coalesce(excluded.display_name, u.display_name),
             name_key = CASE WHEN coalesce(excluded.display_name, excluded.email) IS NULL
                               OR (excluded.display_name IS NULL AND u.display_name IS NOT NULL)
                             THEN u.name_key ELSE excluded.name_key END,
             updated_at = excluded.updated_at
         WHERE (excluded.email IS NOT NULL AND (excluded.email, excluded.email_key, excluded.email_verified)
                IS DISTINCT FROM (u.email, u.email_key, u.email_verified))
            OR (excluded.display_name IS NOT NULL AND excluded.display_name IS DISTINCT FROM u.display_name)
       RETURNING ${COLUMNS}`,
      [
        newUserId(),
        issuer,
        subject,
        email,
        email === null ? null : emailKey(email),
        emailVerified,
        displayName,
        caseFold(displayName ?? email ?? subject),
      ],
    );
    const stored = written ?? (await this.find(issuer, subject));
    if (!stored) throw new Error('A user was deleted while it was read');
    const user: User = { ...stored, verifiedEmail: emailVerified ? email : null };
    this.cache.set(identity, user);
    return user;
  }

  /**
   * Returns the id of the user. Inserts a row for an unknown user in this transaction, so that a failure leaves no row.
   * Known users take the same statements, so that the response time does not reveal users of other tenants.
   */
  async ensure(tx: TenantTransaction, issuer: string, subject: string): Promise<string> {
    const [, [user]] = (await tx.queryAll([
      {
        text: `INSERT INTO users (id, issuer, subject, name_key) VALUES ($1, $2, $3, $4)
               ON CONFLICT (issuer, subject) DO NOTHING`,
        values: [newUserId(), issuer, subject, caseFold(subject)],
      },
      { text: 'SELECT id FROM users WHERE issuer = $1 AND subject = $2', values: [issuer, subject] },
    ])) as [object[], { id: string }[]];
    if (!user) throw new Error('A user was deleted while it was read');
    return user.id;
  }

  private async find(issuer: string, subject: string): Promise<StoredUser | null> {
    const [user] = await this.dataSource.query<StoredUser[]>(
      `SELECT ${COLUMNS} FROM users WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    return user ?? null;
  }
}

/** A random id. Other ids contain the time of creation, which would reveal when another tenant added the user. */
function newUserId(): string {
  return randomUUID();
}
