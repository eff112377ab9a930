import { access, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Configuration, ConfigurationError } from '../../config/configuration.js';
import { type Log } from '../../logging/log.js';
import { type Converter } from './converter.js';
import { LibreOffice } from './libreoffice.js';
import { findSandbox } from './sandbox.js';

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = ['office', 'text', 'table'].map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`).join(' ');

function sample(kind: string, extension: string, body: string) {
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} xmlns:draw="${ODF}:drawing:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;
  return { extension, content: Buffer.from(content) };
}

/** An Office file of each kind. */
const SAMPLES = [
  sample('text', 'fodt', '<text:p>a</text:p>'),
  sample(
    'spreadsheet',
    'fods',
    '<table:table table:name="a"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>',
  ),
  sample('presentation', 'fodp', '<draw:page draw:name="a"/>'),
];

/** Far more than a busy machine needs. */
const CHECK_MS = 120_000;
const MAX_CHECKED = 1024 * 1024;

/**
 * Returns the configured converter, which is ready for use; null if none is configured.
 *
 * @throws ConfigurationError when the program is not installed or does not convert, or has no sandbox in production
 */
export async function findConverter(
  { converter, environment }: Pick<Configuration, 'converter' | 'environment'>,
  variables: NodeJS.ProcessEnv,
  log: Pick<Log, 'debug' | 'warn'>,
  sandboxFor = findSandbox,
): Promise<LibreOffice | null> {
  if (converter === 'off') return null;
  const program = await findProgram(variables.PATH ?? '');
  if (program === null) throw unusable('this program (soffice) is not on the PATH');
  const sandbox = await sandboxFor(program);
  if (!sandbox && environment === 'production')
    throw unusable(
      'this platform cannot isolate it from files, processes and the network, which production requires (docs/extraction.md)',
    );
  if (!sandbox)
    log.warn({}, 'LibreOffice is not isolated: it reads files and addresses that Office files name');
  const found = new LibreOffice(program, sandbox, (message) => log.debug({ context: 'Converter' }, message));
  await Promise.all(SAMPLES.map((sample) => check(found, sample)));
  return found;
}

/** Converts a file of each kind: each needs another part of LibreOffice, which distributions package separately. */
async function check(converter: Converter, { extension, content }: (typeof SAMPLES)[number]): Promise<void> {
  const request = {
    size: content.length,
    open: () => Readable.from([content]),
    from: extension,
    to: 'pdf',
    timeMs: CHECK_MS,
    maxBytes: MAX_CHECKED,
  };
  const { failure } = await converter.convert(request, buffer).catch((error: Error) => {
    throw unusable(`it does not convert a ${extension} (${error.message})`);
  });
  if (failure)
    throw unusable(`it does not convert a ${extension} (${failure}). Are all its parts installed?`);
}

/** The program itself, not the script `soffice`, which starts it as a child process. */
async function findProgram(searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter)) {
    const script = await realpath(path.join(folder, 'soffice')).catch(() => null);
    if (script === null) continue;
    const program = path.join(path.dirname(script), 'soffice.bin');
    return access(program).then(
      () => program,
      () => script,
    );
  }
  return null;
}

function unusable(reason: string): ConfigurationError {
  return new ConfigurationError(`The configuration cannot be used: CONVERTER is libreoffice, but ${reason}.`);
}
