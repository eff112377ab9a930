/** Letters, marks and digits, joined by characters that occur within words: `don't`, `3.5`, `E-Mail`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.,-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Counts the words without building a list, so that memory use does not grow with the text. */
export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count += 1;
  return count;
}
