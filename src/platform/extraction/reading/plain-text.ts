import { decoderOf, detectEncoding } from './decode-text.js';
import { type Source } from './source.js';
import { type TextOutput } from './text-output.js';

export async function readPlainText(source: Source, output: TextOutput): Promise<void> {
  await decodeChunks(
    source,
    (text) => output.add(text),
    () => output.full,
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
  let decoder: ReturnType<typeof decoderOf> | undefined;
  for await (const chunk of source.chunks()) {
    decoder ??= decoderOf(detectEncoding(chunk, declared?.(chunk.subarray(0, 4096).toString('latin1'))));
    take(decoder.decode(chunk, { stream: true }));
    if (enough()) return;
  }
  if (decoder) take(decoder.decode());
}
