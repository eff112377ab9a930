import { isAscii } from 'node:buffer';
import { detectEncoding } from './decode-text.js';
import { type Source } from './source.js';
import { decoderOf } from './text-decoder.js';
import { type TextOutput } from './text-output.js';

/** @param charset encoding that the sender declared, used if the bytes show no other */
export async function readPlainText(source: Source, output: TextOutput, charset?: string): Promise<void> {
  await decodeChunks(
    source,
    // A zero separates words.
    (text) => output.add(text.replaceAll('\0', ' ')),
    () => output.full,
    () => charset,
  );
}

/**
 * Decodes a source chunk by chunk.
 *
 * @param declared returns the encoding declared in the first bytes of the text (given as Latin-1)
 */
export async function decodeChunks(
  source: Source,
  take: (text: string) => void,
  enough: () => boolean,
  declared?: (start: string) => string | undefined,
): Promise<void> {
  let decoder = decoderOf('utf-8');
  let isKnown = false;
  let declaredEncoding: string | undefined;
  let position = 0;
  for await (const chunk of source.chunks()) {
    if (position === 0) declaredEncoding = declared?.(chunk.subarray(0, 4096).toString('latin1'));
    position += chunk.length;
    if (!isKnown) {
      const encoding = detectEncoding(chunk, declaredEncoding);
      // A chunk in ASCII does not show which encoding follows.
      isKnown = encoding !== 'utf-8' || !isAscii(chunk);
      if (isKnown) decoder = decoderOf(encoding);
    }
    take(decoder.decode(chunk, { stream: true }));
    if (enough()) return;
  }
  take(decoder.decode());
}
