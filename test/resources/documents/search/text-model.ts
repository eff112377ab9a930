/** Reference model of the search for words, with a vocabulary whose inflected forms are listed by hand. */

/** Groups of normalized words that are forms of one word. */
const INFLECTIONS = [
  ['haus', 'hauser'],
  ['frist', 'fristen'],
  ['run', 'runs', 'running'],
  ['vertrag', 'vertrage'],
];
const STOP_WORDS = ['der', 'the', 'fur'];

/** Words as texts and queries contain them. */
export const SPELLINGS = [
  ...['Haus', 'HÄUSER', 'Häuser', 'Frist', 'FRISTEN', 'run', 'Runs', 'running', 'Vertrag', 'Verträge'],
  ...['Café', 'cafe', 'Straße', 'STRASSE', 'Entwurf', 'der', 'THE', 'für', '2026'],
];
/** Beginnings of words that are not words themselves. */
export const BEGINNINGS = ['hau', 'fri', 'ru', 'vertr', 'ca', 'STR', 'entwu', '20'];

export interface QueryItem {
  readonly words: readonly string[];
  readonly kind: 'word' | 'phrase' | 'beginning';
  readonly isExcluded: boolean;
}

/** The texts of a document, each a list of words; a phrase must lie within one text. */
export type TextsModel = readonly (readonly string[])[];

function normalize(word: string): string {
  return word.toLowerCase().replace('ä', 'a').replace('é', 'e').replace('ü', 'u').replace('ß', 'ss');
}

function areInflections(one: string, other: string): boolean {
  return one === other || INFLECTIONS.some((forms) => forms.includes(one) && forms.includes(other));
}

export function queryText(items: readonly QueryItem[]): string {
  const written = items.map(
    ({ words, kind, isExcluded }) =>
      (isExcluded ? '-' : '') + (kind === 'phrase' ? `"${words.join(' ')}"` : words.join(' ')),
  );
  return written.join(' ') + (items.at(-1)?.kind === 'beginning' ? '' : ' ');
}

export function hasWords(texts: TextsModel, items: readonly QueryItem[]): boolean {
  const wanted = items.filter(({ isExcluded }) => !isExcluded);
  const significant = wanted.filter(
    ({ words, kind }) => kind === 'phrase' || !words.every((word) => STOP_WORDS.includes(normalize(word))),
  );
  const keys = texts.map((text) => text.map(normalize));
  return (
    (significant.length > 0 ? significant : wanted).every((item) => occurs(keys, item)) &&
    items.every((item) => !item.isExcluded || !occurs(keys, item))
  );
}

function occurs(texts: TextsModel, { words, kind }: QueryItem): boolean {
  const wanted = words.map(normalize);
  return texts.some((text) =>
    text.some((word, place) => {
      if (kind === 'word') return areInflections(word, wanted[0] ?? '');
      if (kind === 'beginning') return word.startsWith(wanted[0] ?? '');
      return wanted.every((one, offset) => text[place + offset] === one);
    }),
  );
}
