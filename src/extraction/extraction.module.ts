import { Global, Logger, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { limitsOf, ocrOf } from './extraction-limits.js';
import { Extractor } from './extractor.js';
import { ExtractorPool } from './extractor-pool.js';
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
        return new ExtractorPool({
          // One more, for the short jobs that go on beside the long ones (src/jobs/fair-share.ts).
          processes: configuration.extractionProcesses + 1,
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
