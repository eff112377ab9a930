import { Controller, Get, Next, Param, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Response } from 'express';
import { Problem } from '../../../common/problem.js';
import { PublicRoute } from '../../../platform/http/endpoint/public-route.js';
import type { FilingRequest } from '../../../platform/http/pipeline/request-state.js';
import { RateLimiter, addressLimited } from '../../../platform/http/rate-limit/rate-limiter.js';
import { type JsonAdapter } from '../../../platform/http/response/json-adapter.js';
import { UsersRepository } from '../../../platform/tenancy/users/users.repository.js';
import { ContentLinkTokens } from './content-link-tokens.js';

/**
 * Answers a link as the operation that it stands for, with the user who made it as the caller. So all guards, prices and
 * audit entries are those of that operation.
 */
@Controller('api/v1/t/:tenant/content-links')
export class LinkedContentController {
  constructor(
    private readonly tokens: ContentLinkTokens,
    private readonly users: UsersRepository,
    private readonly limiter: RateLimiter,
    private readonly host: HttpAdapterHost<JsonAdapter>,
  ) {}

  @Get(':token')
  @PublicRoute()
  async get(
    @Param('tenant') slug: string,
    @Param('token') token: string,
    @Req() request: FilingRequest,
    @Res() response: Response,
    @Next() next: NextFunction,
  ): Promise<void> {
    const link = this.tokens.read(slug, token);
    const user = link && (await this.users.findById(link.userId));
    if (!user) throw (await addressLimited(this.limiter, request.ip)) ?? new Problem('content-link.invalid');
    request.state.linkedUser = user;
    // Pages of other origins may show the picture: the address is the permission, and no cookie is involved.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    this.host.httpAdapter.forward(`/api/v1/t/${slug}/${link.target}`, request, response, next);
  }
}
