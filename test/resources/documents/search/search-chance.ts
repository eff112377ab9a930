import { randomUUID } from 'node:crypto';
import {
  type ConditionModel,
  type FilterModel,
  type Kind,
  type ListModel,
  type TypeModel,
  type Value,
} from './search-model.js';
import { BEGINNINGS, type ItemModel, SPELLINGS, type TextsModel } from './text-model.js';

/** Random numbers that a seed reproduces (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  number(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.number() * count);
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  one<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  some<T>(items: readonly T[], most: number): T[] {
    const chosen = new Set<T>();
    for (let n = this.below(most + 1); n > 0; n -= 1) chosen.add(this.one(items));
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
/** Equal in the beginning that an index covers. */
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
export class SearchChance {
  readonly files: string[] = [];
  readonly tags: string[] = [];
  /** The document types with their fields that are not removed. */
  readonly types: TypeModel[] = [];

  constructor(readonly dice: Dice) {}

  anyValue(kind: Kind): Value {
    switch (kind) {
      case 'Text':
        return this.dice.one([...TEXTS, ...LONG, ...LONG]);
      case 'Number':
        return this.dice.one(NUMBERS);
      case 'Date':
        return this.dice.one(DATES);
      case 'Money':
        return this.dice.one(MONEY);
      case 'Enumeration':
        return this.dice.one(OPTIONS);
      case 'Reference':
        return this.dice.one(this.files);
    }
  }

  /** The words of a content, or none; a long content is stored in several parts. */
  anyTexts(): TextsModel {
    if (this.dice.chance(0.2)) return [];
    const words = Array.from({ length: 1 + this.dice.below(12) }, () => this.dice.one(SPELLINGS));
    if (this.dice.chance(0.2))
      words.splice(this.dice.below(words.length), 0, ...Array<string>(700).fill('dokument'));
    return [words];
  }

  anyWords(): ItemModel[] {
    const items = Array.from({ length: 1 + this.dice.below(3) }, (): ItemModel => {
      const isUnwanted = this.dice.chance(0.25);
      if (this.dice.chance(0.6)) return { words: [this.dice.one(SPELLINGS)], kind: 'word', isUnwanted };
      const [text = SPELLINGS] = this.dice.chance(0.7) ? this.anyTexts() : [];
      const first = this.dice.below(text.length);
      return { words: text.slice(first, first + 1 + this.dice.below(3)), kind: 'phrase', isUnwanted };
    });
    if (this.dice.chance(0.3))
      items.push({ words: [this.dice.one(BEGINNINGS)], kind: 'beginning', isUnwanted: false });
    return items;
  }

  anyOperand(kind: Kind): string {
    if (this.dice.chance(0.05)) return this.dice.one(['nonsense', '12', '2026-01-02', randomUUID()]);
    const value = this.anyValue(kind);
    if (typeof value !== 'string')
      return this.dice.chance(0.5) ? value.amount : `${value.amount} ${value.currency}`;
    if (kind !== 'Text') return value;
    if (this.dice.chance(0.1)) return this.dice.one(['%', '_', '\\', '\\c', '0%']);
    const text = this.dice.chance(0.5) ? value.toUpperCase() : value.toLowerCase();
    return this.dice.chance(0.7) ? text : text.slice(1 + this.dice.below(2)).trim() || 'x';
  }

  anyCondition(documentTypeId: string | null): ConditionModel {
    const schemas = this.types.filter(({ id }) => documentTypeId === null || id === documentTypeId);
    const [fieldKey, kind] = this.dice.chance(0.95)
      ? this.dice.one(schemas.flatMap(({ fields }) => Object.entries(fields)))
      : ([this.dice.one(['removed', 'nowhere', 'note', 'twin']), 'Text'] as const);
    const fitting = OPERATORS.filter((operator) => {
      if (operator === 'Contains') return kind === 'Text';
      return !/Than/.test(operator) || ['Number', 'Date', 'Money'].includes(kind);
    });
    const operator = this.dice.one(this.dice.chance(0.95) ? fitting : OPERATORS);
    return { fieldKey, operator, value: /Empty/.test(operator) ? null : this.anyOperand(kind) };
  }

  anyList(): ListModel {
    const moment = () => `2026-01-0${1 + this.dice.below(9)}T00:00:00.001Z`;
    const [first = '', last = ''] = [moment(), moment()].sort();
    return {
      ...(this.dice.chance(0.8) && { sort: this.dice.one(SORTS) }),
      ...(this.dice.chance(0.2) && { createdFrom: first }),
      ...(this.dice.chance(0.2) && { createdTo: last }),
    };
  }

  /** @param most largest number of conditions */
  anyFilter(most: number): FilterModel {
    const documentTypeId = this.dice.chance(0.5) ? this.dice.one(this.types).id : null;
    const unknown = this.dice.chance(0.03) ? randomUUID() : null;
    return {
      documentTypeId: unknown ?? documentTypeId,
      fileId: this.dice.chance(0.2) ? this.dice.one([...this.files, randomUUID()]) : null,
      tagIds: this.dice.chance(0.3) ? this.dice.some(this.tags, 3) : [],
      metadataConditions: Array.from({ length: this.dice.below(most + 1) }, () =>
        this.anyCondition(documentTypeId),
      ),
    };
  }
}
