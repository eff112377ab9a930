import { type Bind } from '../../../platform/database/sql-parameters.js';
import { type Writing } from './digit-groups.js';
import { type QueryItem, type SearchQuery } from './search-query.js';
import { partOf } from '../words/compounds.js';
import { type Term } from './search-terms.js';

/** The forms of a word according to PostgreSQL. */
export interface WordForms {
  readonly key: string;
  /** Its German and English stems, if any; a stop word has none. */
  readonly stems: readonly string[];
  /** Whether it is a stop word: a German or English word that occurs in nearly every text. */
  readonly isStopWord: boolean;
}

export interface Lexeme {
  readonly key: string;
  /** Also matches longer lexemes that start with it. */
  readonly isPrefix: boolean;
  /** Matches only words of the text itself, not stems of them. */
  readonly isWord: boolean;
  /** A compound that contains the searched word. Counts little for the rank. */
  readonly isCompound?: boolean;
}

/** Consecutive positions; at each position, any one of its lexemes matches. */
export type Sequence = readonly (readonly Lexeme[])[];

/** An item of a query matches a document with any of these sequences, and one in any of these files. */
export interface WantedItem {
  readonly sequences: readonly Sequence[];
  /** Visible files with the number that the item is, or is part of. */
  readonly fileIds: readonly string[];
}

/** The words of a search (docs/adr/0022). */
export interface TextSearch {
  /** The document must match all of these. */
  readonly wanted: readonly WantedItem[];
  /** The document must contain none of these. */
  readonly unwanted: readonly (readonly Sequence[])[];
  /** The document must not match all of these; empty: no such condition. */
  readonly notAll: readonly WantedItem[];
}

const FORMS = `
  SELECT w.key,
         ts_lexize('pg_catalog.german_stem', w.key) || ts_lexize('pg_catalog.english_stem', w.key) AS stems,
         ts_lexize('pg_catalog.german_stem', w.spelling) = '{}'
           OR ts_lexize('pg_catalog.english_stem', w.spelling) = '{}' AS "isStopWord"
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (key, spelling, place) ORDER BY w.place`;

/** Returns the statement for the forms of the words of a query, in the order of the words. */
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

/** Returns the text that compounds of the item contain; null if it finds no compounds. */
export function compoundPart({ words, isQuoted, isBeginning }: QueryItem): string | null {
  const [only, ...others] = words;
  return only && others.length === 0 && !isQuoted && !isBeginning ? partOf(only.key) : null;
}

/**
 * @param forms rows of {@link formsStatement}
 * @param compoundsOf compounds in the lexicon that contain a part
 * @param filesOf ids of files with the number that an item is, or is part of
 */
export function textSearch(
  query: SearchQuery,
  forms: readonly WordForms[],
  compoundsOf: (part: string) => readonly string[],
  filesOf: (item: QueryItem) => readonly string[],
): TextSearch {
  // The same key can have several spellings; if one of them is a stop word, the word counts as a stop word.
  const known = new Map<string, WordForms>();
  for (const form of forms) if (!known.get(form.key)?.isStopWord) known.set(form.key, form);
  const isStopWord = ({ key }: { readonly key: string }) => known.get(key)?.isStopWord ?? false;
  const significant = query.wanted.filter(
    (item) => item.isQuoted || item.isBeginning || filesOf(item).length > 0 || !item.words.every(isStopWord),
  );
  const wantedItem = (item: QueryItem): WantedItem => {
    const part = compoundPart(item);
    const compounds = part === null ? [] : compoundsOf(part);
    const lexemes = compounds.map((key) => ({ key, isPrefix: false, isWord: false, isCompound: true }));
    const sequences = sequencesOf(item, known).map((sequence) =>
      sequence.map((forms) => [...forms, ...lexemes]),
    );
    return { sequences, fileIds: filesOf(item) };
  };
  return {
    wanted: (significant.length > 0 ? significant : query.wanted).map(wantedItem),
    unwanted: query.unwanted.map((item) => sequencesOf(item, known)),
    notAll: [],
  };
}

function sequencesOf(
  { words, isQuoted, isPrefix, isBeginning, compound, writings }: QueryItem,
  known: ReadonlyMap<string, WordForms>,
): Sequence[] {
  if (isQuoted) return [words.map(({ key }) => [{ key, isPrefix: false, isWord: true }])];
  const formsOf = (key: string, asPrefix: boolean): Lexeme[] => {
    const stems = new Set(asPrefix && isBeginning ? [] : known.get(key)?.stems);
    stems.delete(key);
    return [
      { key, isPrefix: asPrefix, isWord: asPrefix && isBeginning },
      ...[...stems].map((stem) => ({ key: stem, isPrefix: false, isWord: false })),
    ];
  };
  // Ignore stop words at both ends, such as the remains of "company's" and "l'Oréal".
  const isSignificant = ({ key }: { readonly key: string }) => !known.get(key)?.isStopWord;
  const first = words.findIndex(isSignificant);
  const last = isBeginning ? words.length - 1 : words.findLastIndex(isSignificant);
  const significantWords = first === -1 ? words : words.slice(first, last + 1);
  const endsAsPrefix = isPrefix && significantWords.at(-1) === words.at(-1);
  const sequence = significantWords.map(({ key }, index) =>
    formsOf(key, endsAsPrefix && index === significantWords.length - 1),
  );
  return [sequence, ...(compound === null ? [] : [[formsOf(compound, isPrefix)]]), ...writings.map(groupsOf)];
}

function groupsOf({ groups, isPrefix }: Writing): Sequence {
  return groups.map((key, index) => [
    { key, isPrefix: isPrefix && index === groups.length - 1, isWord: true },
  ]);
}

export function lexemesOf({ wanted }: TextSearch): Lexeme[] {
  return sequencesIn(wanted).flat(2);
}

export function sequencesIn(items: readonly WantedItem[]): Sequence[] {
  return items.flatMap(({ sequences }) => sequences);
}

/**
 * Returns a tsquery of alternatives. Lexemes contain only letters and digits, so quoting makes injection of
 * operators impossible.
 */
export function tsquery(alternatives: readonly Sequence[]): string {
  return alternatives
    .map(
      (sequence) => `(${sequence.map((lexemes) => `(${lexemes.map(operand).join(' | ')})`).join(' <-> ')})`,
    )
    .join(' | ');
}

function operand({ key, isPrefix, isWord }: Lexeme): string {
  const flags = `${isPrefix ? '*' : ''}${isWord ? 'A' : ''}`;
  return `'${key}'${flags && `:${flags}`}`;
}

export function withoutCompounds(items: TextSearch['wanted']): TextSearch['wanted'] {
  return items.map(({ sequences, fileIds }) => ({
    sequences: sequences.map((sequence) =>
      sequence.map((forms) => forms.filter(({ isCompound }) => !isCompound)),
    ),
    fileIds,
  }));
}

/**
 * The two parts of a ranked search: documents in which all items match without compounds, then all others. The second
 * part is null if there are no compounds.
 */
export function rankedParts(search: TextSearch): readonly [words: TextSearch, compounds: TextSearch | null] {
  const words = withoutCompounds(search.wanted);
  // Items without compounds match in both parts.
  const notAll = words.filter((_, index) => hasCompounds(search.wanted[index]?.sequences ?? []));
  return [{ ...search, wanted: words }, notAll.length > 0 ? { ...search, notAll } : null];
}

function hasCompounds(sequences: readonly Sequence[]): boolean {
  return sequences.flat(2).some(({ isCompound }) => isCompound);
}

/** Returns the term for the rows of documents that match the item. */
export function wantedTerm({ sequences, fileIds }: WantedItem): Term {
  return {
    view: 'document_texts_search',
    ...vectorConditions(sequences),
    ...(fileIds.length > 0 && { orInFiles: fileIds }),
    isOrdered: false,
    rank: 1,
  };
}

/** The index has neither positions nor weights of words. */
function vectorConditions(sequences: readonly Sequence[]): Pick<Term, 'condition' | 'candidates'> {
  const matching = (query: string) => (bind: Bind) => `t.vector @@ ${bind(query)}::tsquery`;
  const query = tsquery(sequences);
  const candidates = query.replaceAll("':A", "'").replaceAll("':*A", "':*").replaceAll('<->', '&');
  return { condition: matching(query), ...(candidates !== query && { candidates: matching(candidates) }) };
}

/** Returns the term for rows with an unwanted item; null if there are none. */
export function unwantedTerm({ unwanted }: TextSearch): Term | null {
  if (unwanted.length === 0) return null;
  return {
    view: 'document_texts_search',
    ...vectorConditions(unwanted.flat()),
    isOrdered: false,
    rank: 0,
  };
}
