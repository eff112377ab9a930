import { Module } from '@nestjs/common';
import { EventStreamsController } from './event-streams.controller.js';
import { EventStreamsService } from './event-streams.service.js';

@Module({
  controllers: [EventStreamsController],
  providers: [EventStreamsService],
})
export class EventStreamsModule {}
