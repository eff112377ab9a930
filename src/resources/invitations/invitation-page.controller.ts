import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { sendRepresentation } from '../../platform/documentation/representation.js';
import { PublicRoute } from '../../platform/http/endpoint/public-route.js';
import { languageOf } from '../../platform/http/pipeline/language.js';
import { InvitationPage } from './invitation-page.js';

@Controller('invitation')
export class InvitationPageController {
  private readonly invitationPage: InvitationPage;

  constructor(@Inject(CONFIGURATION) configuration: Configuration) {
    this.invitationPage = new InvitationPage(configuration);
  }

  @Get()
  @PublicRoute()
  page(@Req() request: Request, @Res() response: Response): void {
    const language = languageOf(request);
    response.vary('Accept-Language');
    const headers = { ...this.invitationPage.headers, 'Content-Language': language };
    sendRepresentation(request, response, this.invitationPage.in(language), headers);
  }

  @Get(':asset')
  @PublicRoute()
  asset(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): void {
    const asset = this.invitationPage.asset(name);
    if (!asset) throw new Problem('route.not-found');
    sendRepresentation(request, response, asset);
  }
}
