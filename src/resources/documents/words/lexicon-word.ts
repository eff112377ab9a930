/**
 * SQL condition: a lexeme is a word of the lexicon, of letters only. The collation makes the result independent of the
 * database.
 */
export function isLexiconWord(lexeme: string): string {
  return `${lexeme} COLLATE "und-x-icu" ~ '^[[:alpha:]]{4,40}$'`;
}
