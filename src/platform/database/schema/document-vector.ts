/**
 * SQL of the search vector of a document (docs/adr/0022). It has each word at its positions with weight A, and the
 * German and English stems of the word at the same positions with weight D. When a word of the text is also the stem
 * of another word, the cast to tsvector merges the two lexemes and keeps the highest weight of equal positions.
 *
 * @param words Expression of type `text[]`. The words have letters and digits only, so quotes are enough escaping.
 * @param positions Expression of type `text[]`: positions and weight of each word, such as `1A,7A`.
 */
export function documentVector(words: string, positions: string): string {
  return `(
    SELECT coalesce(string_agg('''' || l.lexeme || ''':' || l.places, ' '), '')::tsvector
      FROM unnest(${words}, ${positions}) AS w (word, places)
     CROSS JOIN LATERAL (
       SELECT w.word, w.places
       UNION ALL
       SELECT s.stem, replace(w.places, 'A', '')
         FROM unnest(ts_lexize('pg_catalog.german_stem', w.word) || ts_lexize('pg_catalog.english_stem', w.word)) AS s (stem)
     ) AS l (lexeme, places))`;
}
