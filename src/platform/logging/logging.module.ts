import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Log } from './log.js';

@Global()
@Module({})
export class LoggingModule {
  static with(log: Log): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: Log, useValue: log }], exports: [Log] };
  }
}
