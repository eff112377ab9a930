import { Module } from '@nestjs/common';
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
export class InvitationsModule {}
