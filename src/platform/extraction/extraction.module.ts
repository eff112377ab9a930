import path from 'node:path';
import { Global, Logger, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { EXTRACTION_LIMITS, ocrOf } from './extraction-limits.js';
import { ExtractorPool } from './extractor-pool.js';
import { Extractor } from './extractor.js';
import { isolation } from './isolation.js';
import { requireTesseract } from './tesseract.js';

@Global()
@Module({
  providers: [
    {
      provide: Extractor,
      useFactory: async (configuration: Configuration) => {
        const ocr = ocrOf(configuration);
        if (ocr) await requireTesseract(ocr);
        const logger = new Logger(ExtractorPool.name);
        const { barriers } = await isolation();
        const held = Object.entries(barriers).flatMap(([name, holds]) => (holds ? [name] : []));
        logger.log(`Reading processes: ${held.join(', ') || 'the platform takes nothing from them'}`);
        return new ExtractorPool({
          // An instance without workers still has jobs run by its tests.
          processes: configuration.workerConcurrency || 2,
          folder: path.join(configuration.dataDirectory, 'processing'),
          limits: EXTRACTION_LIMITS,
          ocr,
          debug: (message) => logger.debug(message),
        });
      },
      inject: [CONFIGURATION],
    },
  ],
  exports: [Extractor],
})
export class ExtractionModule {}
