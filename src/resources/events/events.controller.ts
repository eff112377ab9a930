import { Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { EventResponse } from '../../platform/events/event.dto.js';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import type { FilingRequest } from '../../platform/http/pipeline/request-state.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventPage, ListEventsQuery, StreamEventsQuery } from './events.dto.js';
import { EventsService } from './events.service.js';

@TenantController('events', 'Events')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly streams: EventStreamsService,
  ) {}

  @Get()
  @Endpoint({
    operation: 'ListEvents',
    summary: 'List events, oldest first',
    description:
      'Every audit entry is an event. Shortly after its commit, it gets the next `sequence` in the event log of the ' +
      'tenant. Sequences start at 0, have no gaps and never change, so that a program that continues with `nextCursor` ' +
      'misses nothing. Events contain ids only; read the resource for more. If the database was restored from a ' +
      'backup, cursors return 400: start again without one.',
    permission: 'auditLog.read',
    returns: EventPage,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListEventsQuery): Promise<EventPage> {
    return this.events.list(caller, query);
  }

  @Get('stream')
  @Endpoint({
    operation: 'StreamEvents',
    summary: 'Receive events as they occur (Server-Sent Events)',
    description:
      'Each event has its sequence as `id` and its type as `event`. A client that connects again continues after its ' +
      'last event. The stream ends within two seconds when the caller loses the permission or the token expires. A ' +
      'comment line is sent every 15 seconds. A client that does not read is disconnected. Each 256 KiB cost one request of the rate limit; the stream pauses until it allows them. At most 10 streams of a ' +
      'caller and 100 of a tenant can be open.\n\n' +
      'To miss nothing, read ListEvents first and pass the last sequence as `after`. The token must be in the header ' +
      '`Authorization`, which `EventSource` of browsers cannot send: use a client based on `fetch`.',
    permission: 'auditLog.read',
    returns: EventResponse,
    eventStream: 'resumable',
  })
  stream(@Query() query: StreamEventsQuery, @Req() request: FilingRequest, @Res() response: Response) {
    return this.streams.open(request, response, query);
  }
}
