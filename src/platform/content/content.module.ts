import path from 'node:path';
import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { ContentStore } from './content-store.js';
import { DiskContentStore } from './disk-content-store.js';

/** The caller must close the store. */
export async function openContentStore(configuration: Configuration): Promise<ContentStore> {
  if (configuration.contentStore === 'disk') {
    return new DiskContentStore(path.join(configuration.dataDirectory, 'content'));
  }
  // Imported on demand: a service with a disk store does not need the AWS SDK.
  const { S3ContentStore } = await import('./s3-content-store.js');
  return S3ContentStore.connect(configuration);
}

@Global()
@Module({
  providers: [{ provide: ContentStore, useFactory: openContentStore, inject: [CONFIGURATION] }],
  exports: [ContentStore],
})
export class ContentModule implements OnApplicationShutdown {
  constructor(private readonly store: ContentStore) {}

  /** Nest calls it after the last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
