import { Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/endpoint/current-caller.js';
import { Endpoint } from '../../platform/http/endpoint/endpoint.js';
import { TenantController } from '../../platform/http/endpoint/tenant-controller.js';
import { Caller } from '../../platform/tenancy/access/caller.js';
import { EventPage, ListEventsQuery } from './events.dto.js';
import { EventsService } from './events.service.js';

@TenantController('events', 'Events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

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
}
