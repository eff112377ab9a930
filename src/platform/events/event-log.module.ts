import { Global, Module } from '@nestjs/common';
import { EventHub } from './event-hub.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventMetrics } from './event-metrics.js';
import { EventSequencer } from './event-sequencer.js';
import { EventsReader } from './events.reader.js';

@Global()
@Module({
  providers: [EventHub, EventLogRepository, EventMetrics, EventSequencer, EventsReader],
  exports: [EventHub, EventMetrics, EventsReader],
})
export class EventLogModule {}
