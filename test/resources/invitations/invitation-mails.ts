import { type Response } from 'supertest';
import { type Actor } from '../../support/actor.js';
import { type MailFixture } from '../notification-preferences/mail-fixture.js';

export interface Created {
  id: string;
  secret: string;
  acceptUrl: string;
}

/** Creates invitations with the service of the fixture, and reads their mails. */
export class InvitationMails {
  constructor(private readonly mail: MailFixture) {}

  async invite(changes: object = {}, actor: Actor = this.mail.admin): Promise<Response> {
    return actor.post('/invitations', {
      email: 'bob@people.example',
      roleId: await this.mail.tenant.roleId('viewer'),
      expiresAt: '2999-12-31T22:30:00Z',
      ...changes,
    });
  }

  async created(changes: object = {}): Promise<Created> {
    const response = await this.invite(changes);
    if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
    return response.body as Created;
  }

  async createdAndRevoked(changes: object = {}): Promise<Created> {
    const created = await this.created(changes);
    await this.mail.admin.delete(`/invitations/${created.id}`).expect(204);
    return created;
  }

  recipients(): string[] {
    return this.mail.received.map(({ to }) => to.join());
  }

  /** The links in the mails. */
  links(): string[] {
    return this.mail.received.map(({ text }) => /https:\S+#\S+/.exec(text)?.[0] ?? '');
  }

  /** The secrets in the mails. */
  secrets(): string[] {
    return this.links().map((link) => new URLSearchParams(link.split('#')[1]).get('secret') ?? '');
  }

  async attempts(): Promise<number[]> {
    return (await this.mail.tenant.jobs()).map(({ attempts }) => attempts);
  }
}
