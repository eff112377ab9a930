/** Letters, marks and digits, with what joins them within a word: `don't`, `3.5`, `E-Mail`. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.,-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Words of a text, however long it is. */
export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count += 1;
  return count;
}
