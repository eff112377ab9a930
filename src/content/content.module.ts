import path from 'node:path';
import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { ContentStore } from './content-store.js';
import { DiskContentStore } from './disk-content-store.js';

@Global()
@Module({
  providers: [
    {
      provide: ContentStore,
      useFactory: ({ dataDirectory }: Configuration) =>
        new DiskContentStore(path.join(dataDirectory, 'content')),
      inject: [CONFIGURATION],
    },
  ],
  exports: [ContentStore],
})
export class ContentModule {}
