import { type FilingClient, RequestRefused } from '../client/filing-client.js';
import { type BuiltInRoleKey } from '../vocabulary/built-in-roles.js';
import { DEMO_INVITATION, DEMO_ROLE, DEMO_SAVED_VIEW } from './demo-content.js';

interface Role {
  readonly id: string;
  readonly key: string | null;
}

/** What is in the demo tenant besides files and documents: a role, an invitation, saved views. */
export class DemoOffice {
  constructor(private readonly as: (roleKey: BuiltInRoleKey) => Promise<FilingClient>) {}

  async ensure(documentTypes: ReadonlyMap<string, string>): Promise<void> {
    const administrator = await this.as('administrator');
    await administrator.post('/roles', { json: DEMO_ROLE, idempotencyKey: 'demo-role' }).catch(unlessThere);
    await this.invite(administrator);
    const { name, by, type, condition } = DEMO_SAVED_VIEW;
    const filter = { documentTypeId: documentTypes.get(type), metadataConditions: [condition] };
    for (const roleKey of by) {
      const client = await this.as(roleKey);
      await client
        .post('/saved-views', { json: { name, filter }, idempotencyKey: 'demo-saved-view' })
        .catch(unlessThere);
    }
  }

  private async invite(administrator: FilingClient): Promise<void> {
    const { email, roleKey, message } = DEMO_INVITATION;
    for await (const { id, key } of administrator.all<Role>('/roles')) {
      if (key !== roleKey) continue;
      const json = { email, roleId: id, message };
      await administrator
        .post('/invitations', { json, idempotencyKey: 'demo-invitation' })
        .catch(unlessThere);
    }
  }
}

/** A conflict means that an earlier start got that far. */
export function unlessThere(error: unknown): void {
  if (!(error instanceof RequestRefused) || error.status !== 409) throw error;
}
