import { type QueryItem, type SearchQuery } from './search-query.js';
import { type Term } from './search-terms.js';

/** What PostgreSQL says about a word. */
export interface WordForms {
  readonly key: string;
  /** Its German and English stem, as far as it has one: a stop word has none. */
  readonly stems: readonly string[];
  /** Whether it is one of the words of German or English that nearly every text has. */
  readonly isStopWord: boolean;
}

/** A lexeme that something wanted is met by. */
export interface Lexeme {
  readonly key: string;
  /** It may go on. */
  readonly isPrefix: boolean;
  /** Only as a word of the text itself, not as a stem of one. */
  readonly isWord: boolean;
}

/** Ways to meet what is wanted: one after the other, each a place that any of its lexemes fills. */
export type Sequence = readonly (readonly Lexeme[])[];

/** What words a search asks of documents (docs/adr/0022). */
export interface TextSearch {
  /** All of them have to be somewhere in the document; each is met by one of its sequences. */
  readonly wanted: readonly (readonly Sequence[])[];
  /** None of them may be. */
  readonly unwanted: readonly (readonly Sequence[])[];
}

const FORMS = `
  SELECT w.key,
         ts_lexize('pg_catalog.german_stem', w.key) || ts_lexize('pg_catalog.english_stem', w.key) AS stems,
         ts_lexize('pg_catalog.german_stem', w.spelling) = '{}'
           OR ts_lexize('pg_catalog.english_stem', w.spelling) = '{}' AS "isStopWord"
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (key, spelling, place) ORDER BY w.place`;

/** The statement that tells the forms of the words of a query, in their order. */
export function formsStatement({ wanted, unwanted }: SearchQuery): { text: string; values: unknown[] } {
  const words = [...wanted, ...unwanted].flatMap((item) => item.words);
  const compounds = [...wanted, ...unwanted].flatMap(({ compound }) => compound ?? []);
  return {
    text: FORMS,
    values: [
      [...words.map(({ key }) => key), ...compounds],
      [...words.map(({ spelling }) => spelling), ...compounds],
    ],
  };
}

/** @param forms what {@link formsStatement} gave */
export function textSearch(query: SearchQuery, forms: readonly WordForms[]): TextSearch {
  // A word is spelled in one way or another: with one spelling that is a stop word, it is taken for one.
  const known = new Map<string, WordForms>();
  for (const form of forms) if (!known.get(form.key)?.isStopWord) known.set(form.key, form);
  const isStopWord = ({ key }: { readonly key: string }) => known.get(key)?.isStopWord ?? false;
  const significant = query.wanted.filter(({ isQuoted, words }) => isQuoted || !words.every(isStopWord));
  return {
    wanted: (significant.length > 0 ? significant : query.wanted).map((item) => sequencesOf(item, known)),
    unwanted: query.unwanted.map((item) => sequencesOf(item, known)),
  };
}

function sequencesOf(
  { words, isQuoted, isPrefix, compound }: QueryItem,
  known: ReadonlyMap<string, WordForms>,
): Sequence[] {
  if (isQuoted) return [words.map(({ key }) => [{ key, isPrefix: false, isWord: true }])];
  const formsOf = (key: string, asPrefix: boolean): Lexeme[] => {
    const stems = new Set(known.get(key)?.stems ?? []);
    stems.delete(key);
    return [
      { key, isPrefix: asPrefix, isWord: false },
      ...[...stems].map((stem) => ({ key: stem, isPrefix: false, isWord: false })),
    ];
  };
  // "company's", "l'Oréal": what is left of a word at its ends tells nothing.
  const isSignificant = ({ key }: { readonly key: string }) => !known.get(key)?.isStopWord;
  const first = words.findIndex(isSignificant);
  const last = words.findLastIndex(isSignificant);
  const significantWords = first === -1 ? words : words.slice(first, last + 1);
  const endsAsPrefix = isPrefix && significantWords.at(-1) === words.at(-1);
  const sequence = significantWords.map(({ key }, index) =>
    formsOf(key, endsAsPrefix && index === significantWords.length - 1),
  );
  return compound === null ? [sequence] : [sequence, [formsOf(compound, isPrefix)]];
}

/** All lexemes of what is wanted. */
export function lexemesOf({ wanted }: TextSearch): Lexeme[] {
  return wanted.flat(3);
}

/** A tsquery of alternatives. Lexemes are letters and digits only: quoted, nothing in them can be an operator. */
export function tsquery(alternatives: readonly (readonly Sequence[])[]): string {
  return alternatives
    .flat()
    .map(
      (sequence) => `(${sequence.map((lexemes) => `(${lexemes.map(operand).join(' | ')})`).join(' <-> ')})`,
    )
    .join(' | ');
}

function operand({ key, isPrefix, isWord }: Lexeme): string {
  const flags = `${isPrefix ? '*' : ''}${isWord ? 'A' : ''}`;
  return `'${key}'${flags && `:${flags}`}`;
}

/** What is wanted as terms, each of which a part of the document has to meet. */
export function textTerms({ wanted }: TextSearch): Term[] {
  return wanted.map((sequences) => ({
    view: 'document_texts_search',
    condition: (bind) => `t.vector @@ ${bind(tsquery([sequences]))}::tsquery`,
    isOrdered: false,
    isCountable: true,
    rank: 1,
  }));
}

/** A row of `document_texts_search` that has something unwanted; null when nothing is. */
export function unwantedTerm({ unwanted }: TextSearch): Term | null {
  if (unwanted.length === 0) return null;
  return {
    view: 'document_texts_search',
    condition: (bind) => `t.vector @@ ${bind(tsquery(unwanted))}::tsquery`,
    isOrdered: false,
    isCountable: false,
    rank: 0,
  };
}
