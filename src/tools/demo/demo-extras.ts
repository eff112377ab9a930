import { type FilingClient, FilingProblem } from '../../../clients/typescript/client.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import { DEMO_INVITATION, DEMO_ROLE, DEMO_SAVED_VIEW } from './demo-content.js';

/** What is in the demo tenant besides files and documents: a role, an invitation, saved views. */
export class DemoExtras {
  constructor(private readonly clientFor: (roleKey: BuiltInRoleKey) => Promise<FilingClient>) {}

  async ensure(documentTypes: ReadonlyMap<string, string>): Promise<void> {
    const administrator = await this.clientFor('administrator');
    await administrator.POST('/roles', { body: DEMO_ROLE, ...idempotencyKey('role') }).catch(ignoreConflict);
    await this.invite(administrator);
    const { name, by, type, condition } = DEMO_SAVED_VIEW;
    const filter = { documentTypeId: documentTypes.get(type), metadataConditions: [condition] };
    const body = { name, filter };
    for (const roleKey of by) {
      const client = await this.clientFor(roleKey);
      await client.POST('/saved-views', { body, ...idempotencyKey('saved-view') }).catch(ignoreConflict);
    }
  }

  private async invite(administrator: FilingClient): Promise<void> {
    const { email, roleKey, message } = DEMO_INVITATION;
    for await (const { id, key } of administrator.pages('/roles')) {
      if (key !== roleKey) continue;
      const body = { email, roleId: id, message };
      await administrator
        .POST('/invitations', { body, ...idempotencyKey('invitation') })
        .catch(ignoreConflict);
    }
  }
}

/** A conflict means that an earlier start got that far. */
export function ignoreConflict(error: unknown): void {
  if (!(error instanceof FilingProblem) || error.status !== 409) throw error;
}

/** The same key in each start: what an earlier one has made is answered, not made again. */
export function idempotencyKey(what: string): { params: { header: { 'Idempotency-Key': string } } } {
  return { params: { header: { 'Idempotency-Key': `demo-${what}` } } };
}
