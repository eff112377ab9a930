import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pagePolicy } from '../../common/html.js';
import { type Language } from '../../common/messages/languages.js';
import { invalidValue, notFound } from '../../common/problem.js';
import { readForm } from '../../platform/http/body/form-body.js';
import { PublicRoute } from '../../platform/http/endpoint/public-route.js';
import { languageOf } from '../../platform/http/pipeline/language.js';
import { RateLimiter, rateLimited } from '../../platform/http/rate-limit/rate-limiter.js';
import { NotificationPreferencesService } from './notification-preferences.service.js';
import { type Subscription, UnsubscribeTokens } from './unsubscribe-token.js';
import { ONE_CLICK, invalidLinkPage, unsubscribePage, unsubscribedPage } from './unsubscribe-page.js';

/** Requests with invalid links from one address. */
const INVALID_LIMIT = { perMinute: 60, burst: 60 };
/** Requests with valid links of one member. Mail services send those of many members from one address. */
const MEMBER_LIMIT = { perMinute: 10, burst: 10 };

/**
 * The link in each mail about notifications. Mail programs send the form of RFC 8058 without showing the page. GET changes
 * nothing, because programs that check mails open all links in them.
 */
@Controller('unsubscribe')
export class UnsubscribeController {
  constructor(
    private readonly service: NotificationPreferencesService,
    private readonly tokens: UnsubscribeTokens,
    private readonly limiter: RateLimiter,
  ) {}

  @Get(':token')
  @PublicRoute()
  async page(@Param('token') token: string, @Req() request: Request, @Res() response: Response) {
    const subscription = await this.admit(token, request);
    const tenantName = subscription && (await this.service.tenantName(subscription));
    this.send(request, response, tenantName, unsubscribePage);
  }

  @Post(':token')
  @PublicRoute()
  async unsubscribe(@Param('token') token: string, @Req() request: Request, @Res() response: Response) {
    const subscription = await this.admit(token, request);
    const form = await readForm(request);
    if (form.get(ONE_CLICK.name) !== ONE_CLICK.value)
      throw invalidValue(ONE_CLICK.name, 'value.one-of', { values: ONE_CLICK.value });
    const tenantName = subscription && (await this.service.unsubscribe(subscription));
    this.send(request, response, tenantName, unsubscribedPage);
  }

  /** Applies the rate limits. Returns what a valid token is for. */
  private async admit(token: string, request: Request): Promise<Subscription | null> {
    const subscription = this.tokens.read(token);
    const result = await (subscription
      ? this.limiter.consume(`unsubscribe ${subscription.tenantId} ${subscription.userId}`, MEMBER_LIMIT)
      : this.limiter.consume(`unsubscribe ${request.ip ?? ''}`, INVALID_LIMIT));
    if (!result.allowed) throw rateLimited(result.nextIn);
    return subscription;
  }

  /** Without a tenant, the link is not valid: a page for browsers, a problem document for programs. */
  private send(
    request: Request,
    response: Response,
    tenantName: string | null,
    page: (language: Language, tenantName: string) => string,
  ): void {
    if (tenantName === null && request.accepts(['json', 'html']) !== 'html') throw notFound();
    const language = languageOf(request);
    const html = tenantName === null ? invalidLinkPage(language) : page(language, tenantName);
    response.vary('Accept');
    response.vary('Accept-Language');
    response.setHeader('Content-Language', language);
    response.setHeader('Content-Security-Policy', pagePolicy("'self'"));
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(html));
    response.status(tenantName === null ? 404 : 200).end(html);
  }
}
