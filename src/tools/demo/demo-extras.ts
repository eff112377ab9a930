import { setTimeout as sleep } from 'node:timers/promises';
import { type FilingClient, FilingProblem } from '../../../clients/typescript/client.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import {
  DEMO_DISPOSALS,
  DEMO_EXPORTS,
  DEMO_HOLDS,
  DEMO_INVITATION,
  DEMO_ROLE,
  DEMO_SAVED_VIEW,
  DEMO_WEBHOOKS,
} from './demo-content.js';

/** Ids by key, name or number. */
export interface CreatedIds {
  readonly fileTypes: Map<string, string>;
  readonly documentTypes: Map<string, string>;
  readonly tags: Map<string, string>;
  readonly files: Map<string, string>;
}

/** Creates a role, an invitation, webhooks, holds, exports and saved views in the demo tenant. */
export class DemoExtras {
  constructor(private readonly clientFor: (roleKey: BuiltInRoleKey) => Promise<FilingClient>) {}

  async ensure({ fileTypes, documentTypes, files }: CreatedIds): Promise<void> {
    const administrator = await this.clientFor('administrator');
    await administrator.POST('/roles', { body: DEMO_ROLE, ...idempotencyKey('role') }).catch(ignoreConflict);
    await this.invite(administrator);
    await this.createWebhooks(administrator);
    await this.createHolds(files);
    await this.createExports(administrator, fileTypes);
    const { name, by, type, condition } = DEMO_SAVED_VIEW;
    const filter = { documentTypeId: documentTypes.get(type), metadataConditions: [condition] };
    const body = { name, filter };
    for (const roleKey of by) {
      const client = await this.clientFor(roleKey);
      await client.POST('/saved-views', { body, ...idempotencyKey('saved-view') }).catch(ignoreConflict);
    }
  }

  /** Exports expire, so later starts do not create them again. */
  private async createExports(
    administrator: FilingClient,
    fileTypes: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { data } = await administrator.GET('/exports');
    if (data.items.length > 0) return;
    for (const [index, { name, fileType }] of DEMO_EXPORTS.entries()) {
      const scope = fileType === null ? { all: true } : { fileTypeId: fileTypes.get(fileType) };
      const body = { name, ...scope };
      await administrator
        .POST('/exports', { body, ...idempotencyKey(`export-${index}`) })
        .catch(ignoreConflict);
    }
  }

  /** A test of each webhook makes the first delivery. */
  private async createWebhooks(administrator: FilingClient): Promise<void> {
    for (const [index, { types, ...body }] of DEMO_WEBHOOKS.entries()) {
      const { data } = await administrator.POST('/webhooks', {
        body: { ...body, types: [...types] },
        ...idempotencyKey(`webhook-${index}`),
      });
      const params = { path: { webhookId: data.id } };
      await administrator.POST('/webhooks/{webhookId}/test', { params }).catch(ignoreConflict);
    }
  }

  private async createHolds(files: ReadonlyMap<string, string>): Promise<void> {
    const manager = await this.clientFor('records_manager');
    for (const [index, { name, reason, files: numbers }] of DEMO_HOLDS.entries()) {
      const body = { name, reason };
      const { data } = await manager.POST('/holds', { body, ...idempotencyKey(`hold-${index}`) });
      await manager.POST('/holds/{holdId}/items', {
        params: { path: { holdId: data.id } },
        body: { fileIds: numbers.flatMap((number) => files.get(number) ?? []) },
      });
    }
  }

  /** Without a worker, the approved disposal is not completed. */
  async dispose(fileTypeId: string, timeoutMs: number): Promise<void> {
    const manager = await this.clientFor('records_manager');
    const administrator = await this.clientFor('administrator');
    for (const [index, { name, dueBefore, until }] of DEMO_DISPOSALS.entries()) {
      const body = { name, fileTypeId, dueBefore };
      const created = await manager
        .POST('/disposals', { body, ...idempotencyKey(`disposal-${index}`) })
        .catch(ignoreConflict);
      if (!created) return;
      const params = { path: { disposalId: created.data.id } };
      if (until === 'create') continue;
      await manager.POST('/disposals/{disposalId}/submit', { params }).catch(ignoreConflict);
      if (until === 'submit') continue;
      await administrator.POST('/disposals/{disposalId}/approve', { params }).catch(ignoreConflict);
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
        const { data } = await manager.GET('/disposals/{disposalId}', { params });
        if (data.status === 'Completed') break;
      }
    }
  }

  private async invite(administrator: FilingClient): Promise<void> {
    const { email, roleKey, message } = DEMO_INVITATION;
    for await (const { id, key } of administrator.pages('/roles')) {
      if (key !== roleKey) continue;
      // The address does not exist.
      const body = { email, roleId: id, message, sendMail: false };
      await administrator
        .POST('/invitations', { body, ...idempotencyKey('invitation') })
        .catch(ignoreConflict);
    }
  }
}

/** Ignores a 409: an earlier start has already created the object. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof FilingProblem) || error.status !== 409) throw error;
}

/** An Idempotency-Key that is the same at each start, so that nothing is created twice. */
export function idempotencyKey(what: string): { params: { header: { 'Idempotency-Key': string } } } {
  return { params: { header: { 'Idempotency-Key': `demo-${what}` } } };
}
