import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Problem } from '../common/problem.js';
import { PublicRoute } from '../http/public-route.js';
import { Readiness } from '../http/readiness.js';

/** What a supervisor asks: does the process live, and does it take requests. */
@ApiExcludeController()
@Controller()
export class OperationsController {
  constructor(private readonly readiness: Readiness) {}

  @Get('livez')
  @PublicRoute()
  live() {
    return { status: 'live' };
  }

  @Get('readyz')
  @PublicRoute()
  async ready() {
    if (!(await this.readiness.isReady())) {
      throw new Problem('service.unavailable', undefined, { headers: { 'Retry-After': '2' } });
    }
    return { status: 'ready' };
  }
}
