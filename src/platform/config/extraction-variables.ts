import { type Variable } from './variable.js';
import { integer, oneOf } from './variable-readers.js';

/** How files are looked into (docs/adr/0021). */
export const EXTRACTION_VARIABLES = {
  extractionProcesses: {
    name: 'EXTRACTION_PROCESSES',
    description:
      'Files that one instance reads at the same time although they take longer than five seconds, each in a process of its own. One more process reads the others.',
    defaultText: '`1`',
    read: integer(1, 64, 1),
  },
  extractionTimeout: {
    name: 'EXTRACTION_TIMEOUT_MS',
    description: 'How long reading one file may take; what takes longer stays without text.',
    defaultText: '`60000`',
    read: integer(100, 3_600_000, 60_000),
  },
  extractionMemory: {
    name: 'EXTRACTION_MEMORY_MB',
    description: 'Most memory, in MiB, of a process that reads a file.',
    defaultText: '`512`',
    read: integer(192, 65_536, 512),
  },
  extractionOutput: {
    name: 'EXTRACTION_OUTPUT_MB',
    description: 'Most, in MiB, that an Office file may hold once it is decompressed.',
    defaultText: '`256`',
    read: integer(1, 65_536, 256),
  },
  extractionTextLimit: {
    name: 'EXTRACTION_TEXT_LIMIT',
    description: 'Characters of text that are kept of one file; longer text is cut off.',
    defaultText: '`2000000`',
    read: integer(1000, 100_000_000, 2_000_000),
  },
  ocr: {
    name: 'OCR',
    description:
      '`tesseract` recognises the text of images and scans with the installed program of that name (its language data has to be installed, too).',
    defaultText: '`off`',
    read: oneOf(['off', 'tesseract'], 'off'),
  },
  ocrLanguages: {
    name: 'OCR_LANGUAGES',
    description: 'Languages of scans, by the names of tesseract’s language data.',
    defaultText: '`deu+eng`',
    read: (value: string | undefined) => {
      if (value !== undefined && !/^\w+(?:\+\w+)*$/.test(value))
        throw new Error('must be names joined by +, as in deu+eng');
      return value ?? 'deu+eng';
    },
  },
} as const satisfies Record<string, Variable<unknown>>;
