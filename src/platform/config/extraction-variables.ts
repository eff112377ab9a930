import { integer, oneOf } from './variable-readers.js';
import { type Variable } from './variable.js';

/** How files are read after their upload (docs/adr/0019, 0021). */
export const EXTRACTION_VARIABLES = {
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
  workerConcurrency: {
    name: 'WORKER_CONCURRENCY',
    description:
      'Jobs (processing of documents) that one instance does at the same time, each with a process that reads a file: at least 2. One is kept free of files that take longer than five seconds. `0` leaves the jobs to others: see `npm run worker`.',
    defaultText: '`2`',
    // With one, a file that takes long would make all others wait.
    read: (value: string | undefined) => {
      const jobs = integer(0, 64, 2)(value);
      return jobs === 1 ? 2 : jobs;
    },
  },
} as const satisfies Record<string, Variable<unknown>>;
