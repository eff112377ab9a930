import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from './configuration.js';

@Global()
@Module({})
export class ConfigModule {
  static with(configuration: Configuration): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: CONFIGURATION, useValue: configuration }],
      exports: [CONFIGURATION],
    };
  }
}
