import { openSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { LibreOffice } from '../../src/platform/extraction/conversion/libreoffice.js';
import { findSandbox } from '../../src/platform/extraction/conversion/sandbox.js';
import { requestFor } from './conversions.js';

/**
 * A process that converts a file with the program in the first argument, for tests that kill it or take its file
 * descriptors. Prints the error if there is one.
 */
const [program = '', mode] = process.argv.slice(2);
const converter = new LibreOffice(program, await findSandbox(program));
if (mode === 'without descriptors') {
  try {
    for (;;) openSync('/dev/null', 'r');
  } catch {
    // There are no more.
  }
}
await converter.convert(requestFor(Buffer.from('a')), buffer).catch((error: Error) => {
  process.stdout.write(`${error.name}: ${error.message}\n`);
});
