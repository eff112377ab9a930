/**
 * The SQL of the vector that documents are found by: words at their positions with weight A, and at the same ones their
 * German and English stems with D (docs/adr/0022). What is a word of the text and the stem of another keeps both:
 * reading a vector puts equal lexemes together, and of equal positions the heaviest.
 *
 * @param words an expression of the type `text[]`: letters and digits only, so that quoting is all that they need
 * @param positions one of the same type with where each of them stands: `1A,7A`
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
