import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Problem, notFound } from '../../common/problem.js';
import { CONFIGURATION, type Configuration } from '../../platform/config/configuration.js';
import { sendRepresentation } from '../../platform/documentation/representation.js';
import { readForm } from '../../platform/http/body/form-body.js';
import { PublicRoute } from '../../platform/http/endpoint/public-route.js';
import { languageOf } from '../../platform/http/pipeline/language.js';
import { RateLimiter, addressLimited } from '../../platform/http/rate-limit/rate-limiter.js';
import { InvitationAnswersService } from './invitation-answers.service.js';
import { type InvitationTexts } from './invitations.repository.js';
import { InvitationPage } from './invitation-page.js';

@Controller('invitation')
export class InvitationPageController {
  private readonly invitationPage: InvitationPage;

  constructor(
    @Inject(CONFIGURATION) configuration: Configuration,
    private readonly answers: InvitationAnswersService,
    private readonly limiter: RateLimiter,
  ) {
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

  /**
   * The texts of an open invitation, for the page before the login. The secret is in the body, so that no log of a proxy
   * has it. The same 404 for an unknown tenant and an unknown, answered, expired or revoked secret.
   */
  @Post('lookup')
  @HttpCode(200)
  @PublicRoute()
  async lookUp(@Req() request: Request): Promise<InvitationTexts> {
    const limited = await addressLimited(this.limiter, request.ip);
    if (limited) throw limited;
    const form = await readForm(request);
    const [tenant, secret] = [form.get('tenant'), form.get('secret')];
    if (typeof tenant !== 'string' || typeof secret !== 'string') throw notFound();
    return this.answers.describe(tenant, secret);
  }

  @Get(':asset')
  @PublicRoute()
  asset(@Param('asset') name: string, @Req() request: Request, @Res() response: Response): void {
    const asset = this.invitationPage.asset(name);
    if (!asset) throw new Problem('route.not-found');
    sendRepresentation(request, response, asset);
  }
}
