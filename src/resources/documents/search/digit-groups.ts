/** Another way to write a number: its groups of digits, in key form. Each is matched as a whole word. */
export interface Writing {
  readonly groups: readonly string[];
  /** Whether the last group can be incomplete. */
  readonly isPrefix: boolean;
}

/** An item of a query: its text, and the keys of its words. */
interface Item {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Digits, also in groups: `030/123-4567`, `(030)`. */
const NUMBER = /^[+(]*\d+(?:[-/.,()'’\u2010\u2011]+\d+)*\)?$/;
/** An integer with groups of thousands or at least four digits, and its decimals: `1.234,56`, `1234,56`. */
const AMOUNT = /^(\d{1,3}(?:[.,'’]\d{3})+|\d{4,15})[.,](\d{1,2})$/;
/** Country, check digits and account of an IBAN, in key form; and the groups in which it is printed. */
const IBAN = /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/;
const IBAN_START = /^[a-z]{2}\d{2}$/;
const IBAN_GROUP = /^(?=.*\d)[a-z0-9]{1,4}$/;
const IBAN_SIZE = 4;

/** Length of joined groups. Shorter ones are dates, years and numbers of houses. */
const [MIN_JOINED, MAX_JOINED] = [6, 34];
/** Number of digits that are also searched in groups, and lengths of the first group: area codes. */
const [MIN_DIGITS, MAX_DIGITS] = [6, 20];
const FIRST_GROUPS = [2, 3, 4, 5];
/** A shorter group is not completed: too many numbers begin with it. */
const MIN_PREFIX = 3;

/** Other ways to write the number that an item is: at most 27; none for other items. */
export function writingsOf(item: Item, isPrefix: boolean): Writing[] {
  return groupingsOf(item).map((groups) => writingOf(groups, isPrefix));
}

function groupingsOf({ text, keys }: Item): string[][] {
  const [, integer, decimals] = AMOUNT.exec(text) ?? [];
  if (integer !== undefined && decimals !== undefined) {
    const digits = integer.replace(/\D/g, '');
    return [[...(digits === integer ? thousands(digits) : [digits]), decimals]];
  }
  const [key = '', ...others] = keys;
  if (others.length > 0) return NUMBER.test(text) && isJoinable(keys) ? otherGroupings(keys) : [];
  if (IBAN.test(key)) return [chunks(key, IBAN_SIZE)];
  const isNumber = /^\d+$/.test(key) && key.length >= MIN_DIGITS && key.length <= MAX_DIGITS;
  return isNumber ? numberGroupings(key) : [];
}

/**
 * The groups in which telephone numbers and large numbers are usually written. Pairs of digits only after a group of three:
 * most texts with numbers have many pairs, so that the index finds too many texts to compare.
 */
function numberGroupings(digits: string): string[][] {
  return distinct([
    thousands(digits),
    ...[3, 4].map((size) => chunks(digits, size)),
    ...FIRST_GROUPS.flatMap((size) => groupingsAfter(digits.slice(0, size), digits.slice(size))),
  ]).filter((groups) => groups.length > 1);
}

/** The groups of a number without separators, and with others after the same first group: `030/1234567`. */
function otherGroupings(groups: readonly string[]): string[][] {
  const [first = '', ...others] = groups;
  const joined = groups.join('');
  if (!/^\d+$/.test(joined) || joined.length > MAX_DIGITS) return [[joined]];
  return distinct([[joined], ...groupingsAfter(first, others.join(''))]).filter(
    (other) => other.join(' ') !== groups.join(' '),
  );
}

function groupingsAfter(first: string, rest: string): string[][] {
  return [
    [rest],
    [rest.slice(0, 3), rest.slice(3)],
    [rest.slice(0, 4), rest.slice(4)],
    ...[3, 4].map((size) => chunks(rest, size)),
    [rest.slice(0, 3), ...chunks(rest.slice(3), 2)],
  ].map((groups) => [first, ...groups]);
}

/** Without empty groups, each grouping once. */
function distinct(groupings: readonly string[][]): string[][] {
  const filled = groupings.map((groups) => groups.filter((group) => group !== ''));
  return [...new Map(filled.map((groups) => [groups.join(' '), groups])).values()];
}

/** The items that write one number in groups between spaces, from the first item on; at least the first one. */
export function numberAt<I extends Item>(items: readonly I[]): readonly I[] {
  const [first, ...others] = items;
  if (!first) return [];
  const startsIban = first.keys.length === 1 && IBAN_START.test(first.keys[0] ?? '');
  if (!startsIban && !NUMBER.test(first.text)) return [first];
  let before = first;
  const end = others.findIndex((item) => {
    // Only the last group of an IBAN is shorter.
    const isNext = startsIban
      ? item.keys.length === 1 &&
        IBAN_GROUP.test(item.text.toLowerCase()) &&
        before.keys[0]?.length === IBAN_SIZE
      : NUMBER.test(item.text);
    before = item;
    return !isNext;
  });
  return end === -1 ? items : items.slice(0, end + 1);
}

/** Other ways to write the number of the items of {@link numberAt}; none for a single item, or too few or many digits. */
export function writingsOfGroups(items: readonly Item[], isPrefix: boolean): Writing[] {
  const keys = items.flatMap((item) => item.keys);
  if (items.length === 1 || !isJoinable(keys)) return [];
  return otherGroupings(keys).map((groups) => writingOf(groups, isPrefix));
}

function isJoinable(keys: readonly string[]): boolean {
  const { length } = keys.join('');
  return length >= MIN_JOINED && length <= MAX_JOINED;
}

function writingOf(groups: readonly string[], isPrefix: boolean): Writing {
  return { groups, isPrefix: isPrefix && (groups.at(-1) ?? '').length >= MIN_PREFIX };
}

/** Groups of three digits, from the last one: `1 234 567`. */
function thousands(digits: string): string[] {
  const first = digits.length % 3;
  return [digits.slice(0, first), ...chunks(digits.slice(first), 3)].filter((group) => group !== '');
}

function chunks(text: string, size: number): string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
}
