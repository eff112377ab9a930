import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendRepresentation } from '../http/documentation/representation.js';
import { PublicRoute } from '../http/public-route.js';
import { INVITATION_PAGE, INVITATION_PAGE_HEADERS } from './invitation-page.js';

/** Where the link of an invitation leads. */
@Controller('invitation')
export class InvitationPageController {
  @Get()
  @PublicRoute()
  page(@Req() request: Request, @Res() response: Response): void {
    sendRepresentation(request, response, INVITATION_PAGE, INVITATION_PAGE_HEADERS);
  }
}
