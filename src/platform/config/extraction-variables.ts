import { type Variable, integer, oneOf } from './variable.js';

/** Settings for processing after the upload (docs/adr/0019, 0021). */
export const EXTRACTION_VARIABLES = {
  ocr: {
    name: 'OCR',
    description:
      '`tesseract` recognises text in images and scans. The program and its language data must be installed.',
    read: oneOf(['off', 'tesseract'], 'off'),
  },
  ocrLanguages: {
    name: 'OCR_LANGUAGES',
    description: 'Languages of scans, as names of tesseract language data.',
    read: (value: string | undefined) => {
      if (value !== undefined && !/^\w+(?:\+\w+)*$/.test(value))
        throw new Error('must be names joined by +, as in deu+eng');
      return value ?? 'deu+eng';
    },
  },
  converter: {
    name: 'CONVERTER',
    description:
      '`libreoffice` reads doc, xls and ppt, and shows previews of Office files. The program must be installed, and in production the platform must be able to isolate it.',
    read: oneOf(['off', 'libreoffice'], 'off'),
  },
  workerConcurrency: {
    name: 'WORKER_CONCURRENCY',
    description:
      'Number of jobs (processing of documents) that one instance runs at a time, at least 2. Each has a process that reads files. One is reserved for files that take less than five seconds. `0` runs no jobs and no scheduled tasks; see `npm run worker`.',
    // With 1, a slow file would block all others.
    read: (value: string | undefined) => {
      const jobs = integer(0, 64, 2)(value);
      return jobs === 1 ? 2 : jobs;
    },
  },
} as const satisfies Record<string, Variable<unknown>>;
