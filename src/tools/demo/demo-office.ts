import { type FilingClient, FilingProblem } from '../../../clients/typescript/client.js';
import { type BuiltInRoleKey } from '../../common/vocabulary/built-in-roles.js';
import { DEMO_INVITATION, DEMO_ROLE, DEMO_SAVED_VIEW } from './demo-content.js';

/** What is in the demo tenant besides files and documents: a role, an invitation, saved views. */
export class DemoOffice {
  constructor(private readonly as: (roleKey: BuiltInRoleKey) => Promise<FilingClient>) {}

  async ensure(documentTypes: ReadonlyMap<string, string>): Promise<void> {
    const administrator = await this.as('administrator');
    await administrator.POST('/roles', { body: DEMO_ROLE, ...once('role') }).catch(unlessThere);
    await this.invite(administrator);
    const { name, by, type, condition } = DEMO_SAVED_VIEW;
    const filter = { documentTypeId: documentTypes.get(type), metadataConditions: [condition] };
    const body = { name, filter };
    for (const roleKey of by) {
      const client = await this.as(roleKey);
      await client.POST('/saved-views', { body, ...once('saved-view') }).catch(unlessThere);
    }
  }

  private async invite(administrator: FilingClient): Promise<void> {
    const { email, roleKey, message } = DEMO_INVITATION;
    for await (const { id, key } of administrator.pages('/roles')) {
      if (key !== roleKey) continue;
      const body = { email, roleId: id, message };
      await administrator.POST('/invitations', { body, ...once('invitation') }).catch(unlessThere);
    }
  }
}

/** A conflict means that an earlier start got that far. */
export function unlessThere(error: unknown): void {
  if (!(error instanceof FilingProblem) || error.status !== 409) throw error;
}

/** The same key in each start: what an earlier one has made is answered, not made again. */
export function once(what: string): { params: { header: { 'Idempotency-Key': string } } } {
  return { params: { header: { 'Idempotency-Key': `demo-${what}` } } };
}
