/** Reference model of the search for words, with a vocabulary whose inflected forms are listed by hand. */

/** Groups of normalized words that are forms of one word. */
const FORMS = [
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

export interface ItemModel {
  readonly words: readonly string[];
  readonly kind: 'word' | 'phrase' | 'beginning';
  readonly isUnwanted: boolean;
}

/** The texts of a document, each a list of words; a phrase must lie within one text. */
export type TextsModel = readonly (readonly string[])[];

function key(word: string): string {
  return word.toLowerCase().replace('ä', 'a').replace('é', 'e').replace('ü', 'u').replace('ß', 'ss');
}

function areForms(one: string, other: string): boolean {
  return one === other || FORMS.some((forms) => forms.includes(one) && forms.includes(other));
}

export function queryOf(items: readonly ItemModel[]): string {
  const written = items.map(
    ({ words, kind, isUnwanted }) =>
      (isUnwanted ? '-' : '') + (kind === 'phrase' ? `"${words.join(' ')}"` : words.join(' ')),
  );
  return written.join(' ') + (items.at(-1)?.kind === 'beginning' ? '' : ' ');
}

export function hasWords(texts: TextsModel, items: readonly ItemModel[]): boolean {
  const wanted = items.filter(({ isUnwanted }) => !isUnwanted);
  const telling = wanted.filter(
    ({ words, kind }) => kind === 'phrase' || !words.every((word) => STOP_WORDS.includes(key(word))),
  );
  const keys = texts.map((text) => text.map(key));
  return (
    (telling.length > 0 ? telling : wanted).every((item) => isIn(keys, item)) &&
    items.every((item) => !item.isUnwanted || !isIn(keys, item))
  );
}

function isIn(texts: TextsModel, { words, kind }: ItemModel): boolean {
  const asked = words.map(key);
  return texts.some((text) =>
    text.some((word, place) => {
      if (kind === 'word') return areForms(word, asked[0] ?? '');
      if (kind === 'beginning') return word.startsWith(asked[0] ?? '');
      return asked.every((one, offset) => text[place + offset] === one);
    }),
  );
}
