import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigurationError } from '../config/configuration.js';
import { type OcrSettings } from './extraction-limits.js';
import { isolation } from './isolation.js';

const run = promisify(execFile);

/**
 * Checks at start that the program and its language data are there, so that nobody learns from silently empty scans.
 *
 * @throws ConfigurationError
 */
export async function requireTesseract(
  { languages }: OcrSettings,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  // As the user that will use it.
  const { user } = await isolation();
  const installed = await run('tesseract', ['--list-langs'], {
    timeout: 30_000,
    env: environment,
    ...user,
  }).then(
    ({ stdout }) => stdout.split(/\r?\n/),
    (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? 'is not on the PATH' : `does not run (${error.message})`;
      throw new ConfigurationError(
        `The configuration cannot be used: OCR is tesseract, but this program ${reason}.`,
      );
    },
  );
  await import('@napi-rs/canvas').catch((error: Error) => {
    throw new ConfigurationError(
      `The configuration cannot be used: OCR draws the pages of PDF files with the package @napi-rs/canvas, which cannot be loaded (${error.message}).`,
    );
  });
  const missing = languages.split('+').filter((language) => !installed.includes(language));
  if (missing.length > 0) {
    throw new ConfigurationError(
      `The configuration cannot be used: OCR_LANGUAGES names ${missing.join(', ')}, for which tesseract has no data (Debian: tesseract-ocr-<language>).`,
    );
  }
}
