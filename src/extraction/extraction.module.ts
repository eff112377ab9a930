import { Global, Module } from '@nestjs/common';
import { Extractor } from './extractor.js';
import { ExtractorPool } from './extractor-pool.js';

@Global()
@Module({
  providers: [{ provide: Extractor, useFactory: () => new ExtractorPool() }],
  exports: [Extractor],
})
export class ExtractionModule {}
