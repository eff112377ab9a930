import { type DynamicModule, Global, Module } from '@nestjs/common';
import { INSTANCE, type Instance } from './instance.js';

@Global()
@Module({})
export class InstancesModule {
  static with(instance: Instance | null): DynamicModule {
    return {
      module: InstancesModule,
      providers: [{ provide: INSTANCE, useValue: instance }],
      exports: [INSTANCE],
    };
  }
}
