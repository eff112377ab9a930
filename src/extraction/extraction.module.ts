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
          processes: configuration.extractionProcesses,
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
