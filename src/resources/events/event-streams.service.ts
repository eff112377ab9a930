import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { invalidValue } from '../../common/problem.js';
import { EventHub } from '../../platform/events/event-hub.js';
import { EventsReader } from '../../platform/events/events.reader.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { readInteger } from '../../platform/http/input/integer-field.js';
import { type FilingRequest } from '../../platform/http/pipeline/request-state.js';
import { OpenStreams, type StreamSource } from '../../platform/http/streams/open-streams.js';
import { EventReaders } from './event-readers.js';
import { type StreamEventsQuery } from './events.dto.js';

/** Server-Sent Events of the tenant's event log. */
@Injectable()
export class EventStreamsService implements StreamSource {
  private readonly tenants = new Map<string, EventReaders>();
  /** Not in the context of a request, whose trace would otherwise include what is read for all streams. */
  private readonly read = AsyncResource.bind((tenantId: string, isAdvance: boolean) => {
    const readers = this.tenants.get(tenantId);
    // The next poll repeats a failed reading, and logs an error that persists.
    (isAdvance ? readers?.advance() : readers?.read())?.catch(() => undefined);
  });
  private readonly advance = (tenantId: string) => this.read(tenantId, true);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly streams: OpenStreams,
    private readonly events: EventsReader,
    private readonly hub: EventHub,
  ) {}

  async open(request: FilingRequest, response: Response, query: StreamEventsQuery): Promise<void> {
    await this.streams.open(request, response, this, async (stream) => {
      const { caller } = stream;
      const { tenantId } = caller;
      const requested = requestedPosition(request, query);
      const { next } = await this.uow.read(caller, (tx) => this.events.head(tx));
      if (requested && requested.position >= next) throw invalidValue(requested.name, 'event.after-end');
      const position = requested?.position ?? next - 1;
      this.readersOf(tenantId).add(stream, query.types ?? null, position, next - 1);
      stream.onEnd(() => this.removeEmpty(tenantId));
      stream.onDrain = () => this.read(tenantId, false);
      // A process without streams needs no connection for notifications of the database.
      this.hub.onAdvance(this.advance);
      return position < 0 ? '' : `id: ${position}\n`;
    });
    const { caller } = request.state;
    if (caller) this.read(caller.tenantId, false);
  }

  async poll(tenantId: string): Promise<void> {
    await this.tenants.get(tenantId)?.advance();
  }

  private readersOf(tenantId: string): EventReaders {
    let readers = this.tenants.get(tenantId);
    if (!readers) {
      readers = new EventReaders(tenantId, this.streams, this.events);
      this.tenants.set(tenantId, readers);
    }
    return readers;
  }

  private removeEmpty(tenantId: string): void {
    if (this.tenants.get(tenantId)?.isEmpty) this.tenants.delete(tenantId);
  }
}

interface RequestedPosition {
  /** The parameter, for errors. */
  readonly name: string;
  readonly position: number;
}

/** `Last-Event-ID` takes precedence: a client that connects again repeats the URL, with its first `after`. */
function requestedPosition(
  { headers }: FilingRequest,
  { after }: StreamEventsQuery,
): RequestedPosition | null {
  const name = 'Last-Event-ID';
  const sent = headers['last-event-id'];
  if (sent === undefined || sent === '')
    return after === undefined ? null : { name: 'after', position: after };
  const position = readInteger(sent);
  if (typeof position !== 'number')
    throw invalidValue(name, 'value.integer', { max: Number.MAX_SAFE_INTEGER });
  return { name, position };
}
