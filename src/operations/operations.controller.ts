import { Controller, Get } from '@nestjs/common';
import { type ContentObject } from '@nestjs/swagger';
import { unavailable } from '../common/problem.js';
import { PublicRoute } from '../http/public-route.js';
import { Readiness } from '../http/readiness.js';

function statusContent(status: string): ContentObject {
  const schema = {
    type: 'object',
    properties: { status: { type: 'string', enum: [status] } },
    required: ['status'],
  };
  return { 'application/json': { schema, example: { status } } };
}

/** What a supervisor asks: does the process live, and does it take requests. */
@Controller()
export class OperationsController {
  constructor(private readonly readiness: Readiness) {}

  @Get('livez')
  @PublicRoute({ operation: 'GetLiveness', summary: 'Does the process live', content: statusContent('live') })
  live() {
    return { status: 'live' };
  }

  @Get('readyz')
  @PublicRoute({
    operation: 'GetReadiness',
    summary: 'Does the service take requests',
    content: statusContent('ready'),
    problems: ['service.unavailable'],
  })
  async ready() {
    if (!(await this.readiness.isReady())) throw unavailable(2);
    return { status: 'ready' };
  }
}
