import path from 'node:path';
import { Global, Module } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../config/configuration.js';
import { type Converter } from './conversion/converter.js';
import { ConvertingExtractor } from './conversion/converting-extractor.js';
import { findConverter } from './conversion/find-converter.js';
import { OfficePreviewer } from './conversion/office-previewer.js';
import { Log } from '../logging/log.js';
import { EXTRACTION_LIMITS, PREVIEW_LIMITS, PREVIEW_PROCESSES } from './extraction-limits.js';
import { ExtractorPool } from './extractor-pool.js';
import { Extractor } from './extractor.js';
import { isolation } from './isolation.js';
import { PreviewerPool } from './previewer-pool.js';
import { Previewer } from './previewer.js';
import { findOcr } from './tesseract.js';

/** The configured converter, or null. */
const CONVERTER = Symbol('CONVERTER');

@Global()
@Module({
  providers: [
    {
      provide: CONVERTER,
      useFactory: (configuration: Configuration, log: Log) => findConverter(configuration, process.env, log),
      inject: [CONFIGURATION, Log],
    },
    {
      provide: Extractor,
      useFactory: async (configuration: Configuration, log: Log, converter: Converter | null) => {
        const ocr = await findOcr(configuration);
        const debug = (message: string) => log.debug({ context: ExtractorPool.name }, message);
        const { barriers } = await isolation();
        const active = Object.entries(barriers).flatMap(([name, isActive]) => (isActive ? [name] : []));
        debug(
          `Isolation of the reading processes: ${active.join(', ') || 'no isolation is available on this platform'}`,
        );
        const pool = new ExtractorPool({
          // Even an instance without workers needs processes: tests run jobs on it.
          processes: configuration.workerConcurrency || 2,
          folder: path.join(configuration.dataDirectory, 'processing'),
          limits: EXTRACTION_LIMITS,
          ocr,
          debug,
        });
        return converter ? new ConvertingExtractor(pool, converter) : pool;
      },
      inject: [CONFIGURATION, Log, CONVERTER],
    },
    {
      provide: Previewer,
      useFactory: (configuration: Configuration, log: Log, converter: Converter | null) => {
        const previewer = new PreviewerPool({
          processes: PREVIEW_PROCESSES,
          folder: path.join(configuration.dataDirectory, 'processing'),
          limits: PREVIEW_LIMITS,
          debug: (message) => log.debug({ context: PreviewerPool.name }, message),
        });
        // The start does not wait for it.
        void previewer.isAvailable().then((isAvailable) => {
          if (!isAvailable)
            log.warn({}, 'documents have no previews, because the package @napi-rs/canvas cannot be loaded');
        });
        return converter ? new OfficePreviewer(previewer, converter) : previewer;
      },
      inject: [CONFIGURATION, Log, CONVERTER],
    },
  ],
  exports: [Extractor, Previewer],
})
export class ExtractionModule {}
