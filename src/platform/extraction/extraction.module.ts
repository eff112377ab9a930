import path from 'node:path';
import { Global, Logger, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { limitsOf, ocrOf } from './extraction-limits.js';
import { Extractor } from './extractor.js';
import { ExtractorPool } from './extractor-pool.js';
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
          // One more, for the short jobs that go on beside the long ones (src/platform/jobs/fair-share.ts).
          processes: configuration.extractionProcesses + 1,
          folder: path.join(configuration.dataDirectory, 'processing'),
          limits: limitsOf(configuration),
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
