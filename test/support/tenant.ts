import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type QueryResultRow } from 'pg';
import { type BuiltInRoleKey } from '../../src/common/vocabulary/built-in-roles.js';
import { type Permission } from '../../src/common/vocabulary/permissions.js';
import { caseFold } from '../../src/common/text.js';
import { newId } from '../../src/common/identifier.js';
import { saveRole } from '../factories/roles.js';
import { Actor } from './actor.js';
import { type TestService } from './service/service.js';
import { RAISE_ACCESS_VERSION, READ_ACCESS_VERSION } from './database.js';

export interface AuditRow {
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  subject_type: string;
  subject_id: string;
  summary: string | null;
}

export interface NotificationRow {
  user_id: string;
  type: string;
  parameters: Record<string, string>;
}

export interface JobRow {
  key: string | null;
  payload: Record<string, unknown>;
  attempts: number;
}

/** A tenant for tests: creates members and reads the tables of the tenant directly. */
export class TestTenant {
  constructor(
    readonly service: TestService,
    readonly id: string,
    public slug: string,
  ) {}

  /** A new member with a built-in role. */
  as(roleKey: BuiltInRoleKey, name = `${roleKey} ${randomUUID().slice(0, 8)}`): Promise<Actor> {
    return this.member(this.roleId(roleKey), name);
  }

  /** Makes an existing user a member with a built-in role; returns the user as a caller of this tenant. */
  async addMember(user: Actor, roleKey: BuiltInRoleKey): Promise<Actor> {
    await this.join(user, await this.roleId(roleKey));
    return user.inTenant(this);
  }

  /** Runs a statement about this tenant, whose id is $1. */
  query<R extends QueryResultRow>(sql: string, ...values: unknown[]): Promise<R[]> {
    return this.service.query<R>(sql, [this.id, ...values]);
  }

  async roleId(roleKey: BuiltInRoleKey): Promise<string> {
    const statement = 'SELECT id FROM roles WHERE tenant_id = $1 AND key = $2';
    const [role] = await this.query<{ id: string }>(statement, roleKey);
    return role?.id ?? '';
  }

  /** A new member whose custom role holds exactly these permissions. */
  with(...permissions: Permission[]): Promise<Actor> {
    const role = saveRole(this, permissions, `Role ${randomUUID()}`);
    return this.member(
      role.then(({ id }) => id),
      `Member with ${permissions.length} permissions`,
    );
  }

  /** A user with a valid token who is not a member of this tenant. */
  async nonMember(): Promise<Actor> {
    return this.actor(`Non-member ${randomUUID().slice(0, 8)}`);
  }

  private async member(roleId: Promise<string>, name: string): Promise<Actor> {
    const [actor, id] = await Promise.all([this.actor(name), roleId]);
    await this.join(actor, id);
    return actor;
  }

  private async join({ userId }: Actor, roleId: string): Promise<void> {
    await this.query(
      `WITH joined AS (INSERT INTO members (tenant_id, user_id, role_id, first_called_at)
                       VALUES ($1, $2, $3, now()))
       ${RAISE_ACCESS_VERSION}`,
      userId,
      roleId,
    );
  }

  /** Invalidates cached rights. The service does this after every change of roles, members, grants or slugs. */
  async increaseAccessVersion(): Promise<void> {
    await this.query(RAISE_ACCESS_VERSION);
  }

  async accessVersion(): Promise<number> {
    const [row] = await this.query<{ version: string }>(READ_ACCESS_VERSION);
    return Number(row?.version);
  }

  /** Sets the rate limit of each caller; null for that of the configuration. Applies from the next request on. */
  async limitRequests(perMinute: number | null, burst: number | null): Promise<void> {
    const statement = 'UPDATE tenants SET rate_limit_per_minute = $2, rate_limit_burst = $3 WHERE id = $1';
    await this.query(statement, perMinute, burst);
    await this.increaseAccessVersion();
  }

  private async actor(name: string): Promise<Actor> {
    const subject = randomUUID();
    const userId = newId();
    const email = `${subject}@people.example`;
    const { issuer } = this.service;
    const [token] = await Promise.all([
      issuer.token({ sub: subject, email, email_verified: true, name }),
      this.service.query(
        `INSERT INTO users (id, issuer, subject, email, email_key, email_verified, display_name, name_key)
         VALUES ($1, $2, $3, $4, $4, true, $5, $6)`,
        [userId, issuer.url, subject, email, name, caseFold(name)],
      ),
    ]);
    return new Actor(this, { userId, subject, email, name, token });
  }

  /** The audit entries in the order of their creation, without `TenantCreated`. */
  audit(): Promise<AuditRow[]> {
    return this.query<AuditRow>(
      `SELECT actor_id, actor_name, action, subject_type, subject_id, summary FROM audit_entries
        WHERE tenant_id = $1 AND action <> 'TenantCreated' ORDER BY occurred_at, id`,
    );
  }

  notifications(): Promise<NotificationRow[]> {
    return this.query<NotificationRow>(
      'SELECT user_id, type, parameters FROM notifications WHERE tenant_id = $1 ORDER BY created_at, id',
    );
  }

  /** Hashes of all rows of the tenant by table, and of its jobs. Equal hashes before and after mean that nothing was written. */
  async fingerprint(): Promise<Record<string, string>> {
    const { rows } = await this.service.owner.query<{ name: string; print: string }>({
      // A named statement is planned once per connection; planning takes longer than running it.
      name: 'fingerprint',
      text: await this.service.fingerprintQuery(),
      values: [this.id],
    });
    return Object.fromEntries(rows.map(({ name, print }) => [name, print]));
  }

  /** Expects that the work writes nothing; returns its result. */
  async expectNoChange<T>(work: () => PromiseLike<T>): Promise<T> {
    const before = await this.fingerprint();
    const result = await work();
    expect(await this.fingerprint()).toEqual(before);
    return result;
  }

  /** The queued jobs of the tenant, in the order in which they were added; without that of its lexicon. */
  jobs(): Promise<JobRow[]> {
    return this.query<JobRow>(
      `SELECT key, payload, attempts FROM graphile_worker._private_jobs
        WHERE payload ->> 'tenantId' = $1 AND key IS DISTINCT FROM 'UpdateLexicon:' || $1 ORDER BY id`,
    );
  }
}
