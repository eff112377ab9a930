import { Module } from '@nestjs/common';
import { EventStreamsService } from './event-streams.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  controllers: [EventsController],
  providers: [EventStreamsService, EventsService],
})
export class EventsModule {}
