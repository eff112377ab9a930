import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../common/identifier.js';
import { caseFold } from '../common/text.js';
import { type VerifiedIdentity } from '../identity/token-verifier.js';
import { type User } from './caller.js';

const COLUMNS = `id, email, email_verified AS "emailVerified", display_name AS "displayName"`;

/** Users of all tenants. Rows are made at first sight; address and name follow the token's claims. */
@Injectable()
export class UsersRepository {
  /** Identities are the verifier's remembered objects, so a user lives here exactly as long as its token there. */
  private readonly seenUsers = new WeakMap<VerifiedIdentity, User>();

  constructor(private readonly dataSource: DataSource) {}

  remembered(identity: VerifiedIdentity): User | undefined {
    return this.seenUsers.get(identity);
  }

  async seen(identity: VerifiedIdentity): Promise<User> {
    const { issuer, subject, email, emailVerified, displayName } = identity;
    const [written] = await this.dataSource.query<User[]>(
      `INSERT INTO users AS u (id, issuer, subject, email, email_key, email_verified, display_name)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (issuer, subject) DO UPDATE
         SET email = coalesce(excluded.email, u.email),
             email_key = coalesce(excluded.email_key, u.email_key),
             email_verified = CASE WHEN excluded.email IS NULL THEN u.email_verified ELSE excluded.email_verified END,
             display_name = coalesce(excluded.display_name, u.display_name),
             updated_at = now()
         WHERE (excluded.email IS NOT NULL AND (excluded.email, excluded.email_verified) IS DISTINCT FROM (u.email, u.email_verified))
            OR (excluded.display_name IS NOT NULL AND excluded.display_name IS DISTINCT FROM u.display_name)
       RETURNING ${COLUMNS}`,
      [newId(), issuer, subject, email, email === null ? null : caseFold(email), emailVerified, displayName],
    );
    const user = written ?? (await this.find(issuer, subject));
    if (!user) throw new Error('A user that was there is gone');
    this.seenUsers.set(identity, user);
    return user;
  }

  async find(issuer: string, subject: string): Promise<User | null> {
    const [user] = await this.dataSource.query<User[]>(
      `SELECT ${COLUMNS} FROM users WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    return user ?? null;
  }
}
