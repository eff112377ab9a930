import { Controller, Get } from '@nestjs/common';
import { type ContentObject } from '@nestjs/swagger';
import { PublicRoute, objectSchema } from '../http/endpoint/public-route.js';
import { ISSUER_STATES, Readiness } from './readiness.js';

/** Describes an object of string members with their possible values. The first value of each is the example. */
function statesContent(states: Readonly<Record<string, readonly string[]>>): ContentObject {
  const members = Object.entries(states);
  const properties = Object.fromEntries(
    members.map(([name, values]) => [name, { type: 'string', enum: [...values] }]),
  );
  const example = Object.fromEntries(members.map(([name, [first]]) => [name, first]));
  return { 'application/json': { schema: objectSchema(properties), example } };
}

@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('livez')
  @PublicRoute({
    operation: 'GetLiveness',
    summary: 'Check that the process is running',
    content: statesContent({ status: ['live'] }),
  })
  live() {
    return { status: 'live' };
  }

  @Get('readyz')
  @PublicRoute({
    operation: 'GetReadiness',
    summary: 'Check that the service can handle requests',
    content: statesContent({ status: ['ready'], issuer: ISSUER_STATES }),
    problems: ['service.unavailable'],
  })
  async ready() {
    return { status: 'ready', issuer: await this.readiness.check() };
  }
}
