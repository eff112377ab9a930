import { Module, type OnModuleInit } from '@nestjs/common';
import { ExpirySweep } from '../../platform/tenancy/tenants/expiry-sweep.js';
import { MeModule } from '../me/me.module.js';
import { InvitationAnswersService } from './invitation-answers.service.js';
import { InvitationMailer } from './invitation-mailer.js';
import { InvitationMailsRepository } from './invitation-mails.repository.js';
import { InvitationPageController } from './invitation-page.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

@Module({
  imports: [MeModule],
  controllers: [InvitationsController, InvitationPageController],
  providers: [
    InvitationsRepository,
    InvitationsService,
    InvitationAnswersService,
    InvitationMailsRepository,
    InvitationMailer,
  ],
})
export class InvitationsModule implements OnModuleInit {
  constructor(
    private readonly sweep: ExpirySweep,
    private readonly invitations: InvitationsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.register(this.invitations);
  }
}
