import { detectEncoding } from './decode-text.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

/** Reads until the limit of text is reached, however much follows. */
export async function readPlainText(source: Source, output: TextOutput): Promise<void> {
  await decodeChunks(
    source,
    (text) => output.add(text),
    () => output.full,
  );
}

/**
 * Decodes piece by piece.
 *
 * @param declared finds what a text declares as its encoding, in its first bytes read as ASCII
 */
export async function decodeChunks(
  source: Source,
  take: (text: string) => void,
  enough: () => boolean,
  declared?: (start: string) => string | undefined,
): Promise<void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of source.chunks()) {
    decoder ??= new TextDecoder(
      detectEncoding(chunk, declared?.(chunk.subarray(0, 4096).toString('latin1'))),
    );
    take(decoder.decode(chunk, { stream: true }));
    if (enough()) return;
  }
  if (decoder) take(decoder.decode());
}
