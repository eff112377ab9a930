import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { emailKey } from '../../../common/email-address.js';
import { Problem, unavailable } from '../../../common/problem.js';
import { caseFold } from '../../../common/text.js';
import { databaseProblem } from '../../database/database-problems.js';
import { type TenantTransaction } from '../../database/transactions/tenant-transaction.js';
import { type VerifiedIdentity } from '../../identity/token-verifier.js';
import { Log } from '../../logging/log.js';
import { type User } from '../access/caller.js';

const COLUMNS = `id, email, email_key AS "emailKey", email_verified AS "emailVerified", display_name AS "displayName"`;

/** How long a request waits for a changed row to be stored, in milliseconds. */
const WRITE_LIMIT_MS = 2000;
/** After a failure, changed rows are not stored for this time: each attempt may take as long as the limit. */
const PAUSE_MS = 10_000;

/** A user without the members that come from the request's token. */
interface StoredUser extends Omit<User, 'verifiedEmail'> {
  readonly emailKey: string | null;
  readonly emailVerified: boolean;
}

/** Users of all tenants. A row is created at the first request, and updated from the token's claims. */
@Injectable()
export class UsersRepository {
  /** Keys are the objects that the token verifier caches, so an entry is removed together with the cached token. */
  private readonly cache = new WeakMap<VerifiedIdentity, User>();

  private readonly byId = new LRUCache<string, User>({ max: 10_000, ttl: 60_000 });

  private isFailing = false;
  /** By the monotonic clock, in milliseconds. */
  private pausedUntil = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly log: Log,
  ) {}

  cached(identity: VerifiedIdentity): User | undefined {
    return this.cache.get(identity);
  }

  /**
   * Returns the user of a token. Writes only if the user is new or the claims differ from the row: Citus writes the row to
   * every node. If that is impossible for now, a user with a row is served with it; a later token stores the claims.
   */
  async upsert(identity: VerifiedIdentity): Promise<User> {
    const { issuer, subject, email, emailVerified } = identity;
    const known = await this.find(issuer, subject);
    let stored = known;
    if (!known) stored = await this.write(identity);
    else if (differs(known, identity)) stored = await this.writeIfPossible(identity, known);
    if (!stored) throw new Error('A user was deleted while it was read');
    const { id, displayName } = stored;
    const user: User = { id, email: stored.email, displayName, verifiedEmail: emailVerified ? email : null };
    this.cache.set(identity, user);
    return user;
  }

  /** Returns `known` if the row cannot be written within the limit. */
  private async writeIfPossible(identity: VerifiedIdentity, known: StoredUser): Promise<StoredUser | null> {
    if (performance.now() < this.pausedUntil) return known;
    const waiting = new AbortController();
    const expired = sleep(WRITE_LIMIT_MS, undefined, { signal: waiting.signal, ref: false }).then(() => {
      throw unavailable(1, { cause: new Error('The row of a user was not written in time') });
    });
    try {
      const written = await Promise.race([this.write(identity), expired]);
      this.isFailing = false;
      return written;
    } catch (err) {
      const problem = err instanceof Problem ? err : databaseProblem(err);
      if (problem?.status !== 503) throw err;
      this.pausedUntil = performance.now() + PAUSE_MS;
      if (!this.isFailing) this.log.warn({ err }, 'changed users cannot be stored; serving the stored ones');
      this.isFailing = true;
      return known;
    } finally {
      expired.catch(() => undefined);
      waiting.abort();
    }
  }

  private async write(identity: VerifiedIdentity): Promise<StoredUser | null> {
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
    // Without a row, another request has just stored the same claims.
    return written ?? this.find(issuer, subject);
  }

  /**
   * Returns the id of the user. Inserts a row for an unknown user in this transaction, so that a failure leaves no row.
   * Known users take the same statements, so that the response time does not reveal users of other tenants.
   */
  async ensure(tx: TenantTransaction, issuer: string, subject: string): Promise<string> {
    const [, [user]] = await tx.queryAll<[object, { id: string }]>([
      {
        text: `INSERT INTO users (id, issuer, subject, name_key) VALUES ($1, $2, $3, $4)
               ON CONFLICT (issuer, subject) DO NOTHING`,
        values: [newUserId(), issuer, subject, caseFold(subject)],
      },
      { text: 'SELECT id FROM users WHERE issuer = $1 AND subject = $2', values: [issuer, subject] },
    ]);
    if (!user) throw new Error('A user was deleted while it was read');
    return user.id;
  }

  /**
   * The stored user; null for an unknown id. No token says that the address is verified, so it does not count as such.
   * Changes are seen after a minute.
   */
  async findById(id: string): Promise<User | null> {
    const known = this.byId.get(id);
    if (known) return known;
    const [stored] = await this.dataSource.query<StoredUser[]>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [
      id,
    ]);
    if (!stored) return null;
    const user: User = { id, email: stored.email, displayName: stored.displayName, verifiedEmail: null };
    this.byId.set(id, user);
    return user;
  }

  private async find(issuer: string, subject: string): Promise<StoredUser | null> {
    const [user] = await this.dataSource.query<StoredUser[]>(
      `SELECT ${COLUMNS} FROM users WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    return user ?? null;
  }
}

/** Whether {@link UsersRepository.upsert} would change the row: claims that the token lacks change nothing. */
function differs(stored: StoredUser, { email, emailVerified, displayName }: VerifiedIdentity): boolean {
  const hasOtherEmail =
    email !== null &&
    (email !== stored.email || emailKey(email) !== stored.emailKey || emailVerified !== stored.emailVerified);
  return hasOtherEmail || (displayName !== null && displayName !== stored.displayName);
}

/** A random id. Other ids contain the time of creation, which would reveal when another tenant added the user. */
function newUserId(): string {
  return randomUUID();
}
