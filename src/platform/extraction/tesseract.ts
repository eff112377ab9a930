import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Configuration, ConfigurationError } from '../config/configuration.js';
import { isolation } from './isolation.js';

const run = promisify(execFile);

/**
 * Returns the configured languages of OCR; null if it is not configured. Checks at the start that tesseract and its
 * language data are installed. Otherwise scans would have no text, without an error.
 *
 * @throws ConfigurationError
 */
export async function findOcr(
  { ocr, ocrLanguages }: Pick<Configuration, 'ocr' | 'ocrLanguages'>,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (ocr === 'off') return null;
  // Run it as the user of the reading processes.
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
      `The configuration cannot be used: OCR needs the package @napi-rs/canvas to render PDF pages, but it cannot be loaded (${error.message}).`,
    );
  });
  const missing = ocrLanguages.split('+').filter((language) => !installed.includes(language));
  if (missing.length > 0) {
    throw new ConfigurationError(
      `The configuration cannot be used: tesseract has no data for ${missing.join(', ')} in OCR_LANGUAGES (Debian: install tesseract-ocr-<language>).`,
    );
  }
  return ocrLanguages;
}
