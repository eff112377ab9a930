/** Reference model of the search for words, with a vocabulary whose inflected forms are listed by hand. */

/** Groups of normalized words that are forms of one word. */
const INFLECTIONS = [
  ['haus', 'hauser'],
  ['frist', 'fristen'],
  ['run', 'runs', 'running'],
  ['vertrag', 'vertrage'],
  ['mietvertrag', 'mietvertrage'],
  // For the stemmer, `ae` is `ä`.
  ['a', 'ae'],
];
/** Compounds by the word that finds them, in any of its forms with at least five letters. */
const COMPOUNDS: Readonly<Record<string, readonly string[]>> = {
  vertrag: ['mietvertrag', 'mietvertrage', 'vertragsentwurf'],
  vertrage: ['mietvertrag', 'mietvertrage', 'vertragsentwurf'],
  entwurf: ['vertragsentwurf'],
  frist: ['fristablauf'],
  fristen: ['fristablauf'],
};
const STOP_WORDS = ['der', 'the', 'fur'];
/** Compounds by a beginning of at least five letters that they contain elsewhere. */
const COMPOUND_PARTS: Readonly<Record<string, readonly string[]>> = {
  vertr: ['mietvertrag', 'mietvertrage'],
  entwu: ['vertragsentwurf'],
};

/** Words as texts and queries contain them. */
export const SPELLINGS = [
  ...['Haus', 'HÄUSER', 'Häuser', 'Frist', 'FRISTEN', 'run', 'Runs', 'running', 'Vertrag', 'Verträge'],
  ...['Café', 'cafe', 'Straße', 'STRASSE', 'Entwurf', 'der', 'THE', 'für', '2026'],
  ...['Mietvertrag', 'Mietverträge', 'VERTRAGSENTWURF', 'Fristablauf'],
  ...['0301234567', '030', '1234567'],
  ...['Łódź', 'LODZ', 'Ærø', 'aero', 'Þór'],
];
/** Beginnings of words that are not words themselves. */
export const BEGINNINGS = [
  'hau',
  'fri',
  'ru',
  'vertr',
  'ca',
  'STR',
  'entwu',
  '20',
  'mietv',
  'ło',
  'ae',
  'æ',
  'tho',
];

/** A number that is also written in two groups. */
const JOINED = '0301234567';
export const GROUPS = ['030', '1234567'];

export interface QueryItem {
  readonly words: readonly string[];
  /** `beginning`: the last word of the query; `starred`: with `*`, anywhere. */
  readonly kind: 'word' | 'phrase' | 'beginning' | 'starred';
  readonly isExcluded: boolean;
}

/** The texts of a document, each a list of words; a phrase must lie within one text. */
export type TextsModel = readonly (readonly string[])[];

const BASE_LETTERS: Readonly<Record<string, string>> = {
  ...{ ä: 'a', é: 'e', ü: 'u', ß: 'ss', ł: 'l', ó: 'o', ź: 'z', æ: 'ae', ø: 'o', þ: 'th' },
};

function normalize(word: string): string {
  return [...word.toLowerCase()].map((letter) => BASE_LETTERS[letter] ?? letter).join('');
}

function areInflections(one: string, other: string): boolean {
  return one === other || INFLECTIONS.some((forms) => forms.includes(one) && forms.includes(other));
}

export function queryText(items: readonly QueryItem[]): string {
  const written = items.map(
    ({ words, kind, isExcluded }) =>
      (isExcluded ? '-' : '') +
      (kind === 'phrase' ? `"${words.join(' ')}"` : words.join(' ')) +
      (kind === 'starred' ? '*' : ''),
  );
  return written.join(' ') + (items.at(-1)?.kind === 'beginning' ? '' : ' ');
}

/** @param lexicon normalized words of documents that are not confidential */
export function hasWords(
  texts: TextsModel,
  items: readonly QueryItem[],
  lexicon: ReadonlySet<string>,
): boolean {
  const wanted = items.filter(({ isExcluded }) => !isExcluded);
  const significant = wanted.filter(
    ({ words, kind }) =>
      kind === 'phrase' || kind === 'starred' || !words.every((word) => STOP_WORDS.includes(normalize(word))),
  );
  const keys = texts.map((text) => text.map(normalize));
  return (
    (significant.length > 0 ? significant : wanted).every(
      (item) =>
        occurs(keys, item) ||
        (writesNumber(items, item) && (keys.flat().includes(JOINED) || occurs(keys, PHRASE))) ||
        regroupings(items, item).some((words) => occurs(keys, { ...PHRASE, words })) ||
        compoundsOf(item, lexicon).some((word) => keys.flat().includes(word)),
    ) && items.every((item) => !item.isExcluded || !occurs(keys, item))
  );
}

const PHRASE: QueryItem = { words: GROUPS, kind: 'phrase', isExcluded: false };

/** Whether the item is the number of {@link GROUPS}, or one of all consecutive items of digits that are its groups. */
function writesNumber(items: readonly QueryItem[], item: QueryItem): boolean {
  if (item.isExcluded || item.kind !== 'word') return false;
  return item.words[0] === JOINED || numberAround(items, item).join('') === JOINED;
}

/** The words of all consecutive items of digits around the item; none if it is the only one. */
function numberAround(items: readonly QueryItem[], item: QueryItem): readonly string[] {
  const isPart = (one: QueryItem | undefined) =>
    one !== undefined &&
    !one.isExcluded &&
    (one.kind === 'word' || one.kind === 'beginning') &&
    one.words.every((word) => /^\d+$/.test(word));
  let [first, end] = [items.indexOf(item), items.indexOf(item) + 1];
  if (!isPart(item)) return [];
  while (isPart(items[first - 1])) first -= 1;
  while (isPart(items[end])) end += 1;
  const run = items.slice(first, end);
  return run.length > 1 ? run.flatMap(({ words }) => words) : [];
}

/** The number around the item with the same first group, and others after it that texts contain. */
function regroupings(items: readonly QueryItem[], item: QueryItem): (readonly string[])[] {
  const [first = '', ...others] = numberAround(items, item);
  const rest = others.join('');
  if (first.length + rest.length > 20) return [];
  return [[first, rest], ...[3, 4].map((size) => [first, rest.slice(0, size), rest.slice(size)])];
}

function compoundsOf({ words: [word = ''], kind }: QueryItem, lexicon: ReadonlySet<string>): string[] {
  if (kind !== 'word' && kind !== 'beginning') return [];
  const key = normalize(word);
  const found = COMPOUNDS[key] ?? (kind === 'beginning' ? COMPOUND_PARTS[key] : undefined) ?? [];
  return found.filter((one) => lexicon.has(one));
}

export function lexiconOf(documents: readonly TextsModel[]): Set<string> {
  return new Set(documents.flat(2).map(normalize));
}

function occurs(texts: TextsModel, { words, kind }: QueryItem): boolean {
  const wanted = words.map(normalize);
  return texts.some((text) =>
    text.some((word, place) => {
      const [first = ''] = wanted;
      if (kind === 'word') return areInflections(word, first);
      if (kind === 'starred') return word.startsWith(first);
      if (kind === 'beginning') return word.startsWith(first) || areInflections(word, first);
      return wanted.every((one, offset) => text[place + offset] === one);
    }),
  );
}
