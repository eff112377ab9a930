import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { EventHub } from '../../platform/events/event-hub.js';
import { type FilingRequest } from '../../platform/http/pipeline/request-state.js';
import { OpenStreams, type StreamSource } from '../../platform/http/streams/open-streams.js';
import { NotificationInbox } from './notification-inbox.js';
import { NotificationsRepository } from './notifications.repository.js';

/** Events come in quick succession: only some of them cause a reading before the next poll. */
const MIN_INTERVAL_MS = 250;

/** Server-Sent Events of the caller's own notifications. */
@Injectable()
export class NotificationStreamsService implements StreamSource {
  private readonly inboxes = new Map<string, NotificationInbox>();
  /** Not in the context of a request, whose trace would otherwise include what is read for all streams. */
  private readonly readSoon = AsyncResource.bind((tenantId: string) => {
    const inbox = this.inboxes.get(tenantId);
    // The next poll repeats a failed reading, and logs an error that persists.
    if (inbox && inbox.age >= MIN_INTERVAL_MS) inbox.read().catch(() => undefined);
  });

  constructor(
    private readonly streams: OpenStreams,
    private readonly notifications: NotificationsRepository,
    private readonly hub: EventHub,
  ) {}

  open(request: FilingRequest, response: Response): Promise<void> {
    return this.streams.open(request, response, this, async (stream) => {
      const { tenantId } = stream.caller;
      let inbox = this.inboxes.get(tenantId);
      if (!inbox) {
        inbox = new NotificationInbox(tenantId, this.streams, this.notifications);
        this.inboxes.set(tenantId, inbox);
      }
      const joined = inbox.join(stream);
      stream.onEnd(() => this.removeEmpty(tenantId));
      await joined;
      // Most changes that notify a user are events. A process without streams needs no connection for the hub.
      this.hub.onAdvance(this.readSoon);
      return '';
    });
  }

  private removeEmpty(tenantId: string): void {
    if (this.inboxes.get(tenantId)?.isEmpty) this.inboxes.delete(tenantId);
  }

  async poll(tenantId: string): Promise<void> {
    await this.inboxes.get(tenantId)?.read();
  }
}
