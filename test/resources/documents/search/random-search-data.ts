import { randomUUID } from 'node:crypto';
import {
  type ConditionModel,
  type FilterModel,
  type FieldType,
  type ListModel,
  type TypeModel,
  type Value,
} from './search-model.js';
import { BEGINNINGS, GROUPS, type QueryItem, SPELLINGS, type TextsModel } from './text-model.js';

/** Random numbers that a seed reproduces (mulberry32). */
export class RandomNumbers {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  oneOf<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  someOf<T>(items: readonly T[], most: number): T[] {
    const chosen = new Set<T>();
    for (let n = this.below(most + 1); n > 0; n -= 1) chosen.add(this.oneOf(items));
    return [...chosen];
  }
}

const TEXTS = [
  'Straße',
  'STRASSE 12',
  'Nord',
  'nord-süd',
  'Σοφός',
  '50%',
  'a_b\\c',
  'Zeile\nzwei',
  '12.5',
  '10',
];
/** Texts that are equal in the part that an index covers. */
const LONG = [`${'lang '.repeat(20)}genug`, `${'lang '.repeat(20)}bis hier`];
const NUMBERS = [
  '-12.5',
  '0',
  '10',
  '10.000000000000000000001',
  '12.5',
  '99999999999999999999999999999999999999',
];
const DATES = ['0001-01-01', '2024-02-29', '2026-01-01', '2026-11-20', '9999-12-31'];
const MONEY = [
  { amount: '10.00', currency: 'EUR' },
  { amount: '12.50', currency: 'EUR' },
  { amount: '10', currency: 'JPY' },
  { amount: '12.500', currency: 'KWD' },
  { amount: '-0.01', currency: 'CHF' },
];
export const OPTIONS = ['open', 'paid', 'void'];
const OPERATORS = [
  ...[
    'EqualTo',
    'NotEqualTo',
    'Contains',
    'GreaterThan',
    'GreaterThanOrEqual',
    'LessThan',
    'LessThanOrEqual',
  ],
  ...['IsEmpty', 'IsNotEmpty'],
];

const SORTS = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'title', '-title'];

/** Random values, texts and searches for the files, tags and types of a tenant. */
export class RandomSearchData {
  readonly files: string[] = [];
  readonly tags: string[] = [];
  /** The document types with their fields that are not removed. */
  readonly types: TypeModel[] = [];

  constructor(readonly random: RandomNumbers) {}

  randomValue(kind: FieldType): Value {
    switch (kind) {
      case 'Text':
        return this.random.oneOf([...TEXTS, ...LONG, ...LONG]);
      case 'Number':
        return this.random.oneOf(NUMBERS);
      case 'Date':
        return this.random.oneOf(DATES);
      case 'Money':
        return this.random.oneOf(MONEY);
      case 'Enumeration':
        return this.random.oneOf(OPTIONS);
      case 'Reference':
        return this.random.oneOf(this.files);
    }
  }

  /** The words of a content, or none; a long content is stored in several parts. */
  randomTexts(): TextsModel {
    if (this.random.chance(0.2)) return [];
    const words = Array.from({ length: 1 + this.random.below(12) }, () => this.random.oneOf(SPELLINGS));
    if (this.random.chance(0.2))
      words.splice(this.random.below(words.length), 0, ...Array<string>(700).fill('dokument'));
    if (this.random.chance(0.15)) words.splice(this.random.below(words.length), 0, ...GROUPS);
    return [words];
  }

  randomWords(): QueryItem[] {
    const items = Array.from({ length: 1 + this.random.below(3) }, (): QueryItem => {
      const isExcluded = this.random.chance(0.25);
      if (this.random.chance(0.15))
        return { words: [this.random.oneOf(BEGINNINGS)], kind: 'starred', isExcluded };
      if (this.random.chance(0.6)) return { words: [this.random.oneOf(SPELLINGS)], kind: 'word', isExcluded };
      const [text = SPELLINGS] = this.random.chance(0.7) ? this.randomTexts() : [];
      const first = this.random.below(text.length);
      return { words: text.slice(first, first + 1 + this.random.below(3)), kind: 'phrase', isExcluded };
    });
    if (this.random.chance(0.15))
      items.splice(
        this.random.below(items.length),
        0,
        ...GROUPS.map((word): QueryItem => ({ words: [word], kind: 'word', isExcluded: false })),
      );
    if (this.random.chance(0.3))
      items.push({ words: [this.random.oneOf(BEGINNINGS)], kind: 'beginning', isExcluded: false });
    return items;
  }

  randomOperand(kind: FieldType): string {
    if (this.random.chance(0.05)) return this.random.oneOf(['nonsense', '12', '2026-01-02', randomUUID()]);
    const value = this.randomValue(kind);
    if (typeof value !== 'string')
      return this.random.chance(0.5) ? value.amount : `${value.amount} ${value.currency}`;
    if (kind !== 'Text') return value;
    if (this.random.chance(0.1)) return this.random.oneOf(['%', '_', '\\', '\\c', '0%']);
    const text = this.random.chance(0.5) ? value.toUpperCase() : value.toLowerCase();
    return this.random.chance(0.7) ? text : text.slice(1 + this.random.below(2)).trim() || 'x';
  }

  randomCondition(documentTypeId: string | null): ConditionModel {
    const schemas = this.types.filter(({ id }) => documentTypeId === null || id === documentTypeId);
    const [fieldKey, kind] = this.random.chance(0.95)
      ? this.random.oneOf(schemas.flatMap(({ fields }) => Object.entries(fields)))
      : ([this.random.oneOf(['removed', 'nowhere', 'note', 'common']), 'Text'] as const);
    const fitting = OPERATORS.filter((operator) => {
      if (operator === 'Contains') return kind === 'Text';
      return !/Than/.test(operator) || ['Number', 'Date', 'Money'].includes(kind);
    });
    const operator = this.random.oneOf(this.random.chance(0.95) ? fitting : OPERATORS);
    return { fieldKey, operator, value: /Empty/.test(operator) ? null : this.randomOperand(kind) };
  }

  randomList(): ListModel {
    const time = () => `2026-01-0${1 + this.random.below(9)}T00:00:00.001Z`;
    const [first = '', last = ''] = [time(), time()].sort();
    return {
      ...(this.random.chance(0.8) && { sort: this.random.oneOf(SORTS) }),
      ...(this.random.chance(0.2) && { createdFrom: first }),
      ...(this.random.chance(0.2) && { createdTo: last }),
    };
  }

  /** @param most maximum number of conditions */
  randomFilter(most: number): FilterModel {
    const documentTypeId = this.random.chance(0.5) ? this.random.oneOf(this.types).id : null;
    const unknown = this.random.chance(0.03) ? randomUUID() : null;
    return {
      documentTypeId: unknown ?? documentTypeId,
      fileId: this.random.chance(0.2) ? this.random.oneOf([...this.files, randomUUID()]) : null,
      tagIds: this.random.chance(0.3) ? this.random.someOf(this.tags, 3) : [],
      metadataConditions: Array.from({ length: this.random.below(most + 1) }, () =>
        this.randomCondition(documentTypeId),
      ),
    };
  }
}
