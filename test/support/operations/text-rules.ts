import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

/** Value that removes the member from the body. */
export const ABSENT = Symbol('absent');

export interface TextUnderTest {
  readonly tenant: () => TestTenant;
  /** Name of the member, which is also its path in `errors`. */
  readonly member: string;
  /** Maximum length in code points. */
  readonly max: number;
  /** A valid body. */
  readonly body: () => Record<string, unknown>;
  readonly send: (body: Record<string, unknown>) => Test;
  readonly success: number;
  readonly isOptional?: boolean;
}

/** The body with another value for one member, or without the member ({@link ABSENT}). */
export function bodyWith(
  body: Record<string, unknown>,
  member: string,
  value: unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...body, [member]: value }).filter(([, content]) => content !== ABSENT),
  );
}

/** Tests of a member that is a name: normalization, and invalid values, which are not stored. */
export function textRules({ tenant, member, max, body, send, success, isOptional }: TextUnderTest): void {
  const sendWith = (value: unknown) => send(bodyWith(body(), member, value));

  it.each([
    ['trimmed', ' \t\u00a0Ärger\u3000\n', 'Ärger'],
    ['composed (NFC)', 'A\u0308rger', 'Ärger'],
    ['of maximum length in code points', '😀'.repeat(max), '😀'.repeat(max)],
    ['of maximum length after trimming and NFC', ` ${'A\u0308'.repeat(max)} `, 'Ä'.repeat(max)],
    ['with one space for blanks of any kind', 'a \u00a0\u2009\u3000b', 'a b'],
    ['without characters that are not seen', '\u200ba\u00ad\u202eb\u2067\ufeff\u{e0041}\u3164', 'ab'],
    ['otherwise unchanged', `a b'"<&>\\%_\u200d\u{10ffff}`, `a b'"<&>\\%_\u200d\u{10ffff}`],
  ])(`returns ${success} when ${member} is %s`, async (_, value, expected) => {
    const response = await sendWith(value);
    expect([response.status, (response.body as Record<string, unknown>)[member]]).toEqual([
      success,
      expected,
    ]);
  });

  it.each([
    ...(isOptional ? [] : [['absent', ABSENT] as const]),
    ['null', null],
    ['a number', 5],
    ['a boolean', true],
    ['an object', { toString: 'a' }],
    ['an array', ['a']],
    ['empty', ''],
    ['only white space', ' \t\u00a0\n'],
    ['only of characters that are not seen', '\u200b\ufeff\u200d\u2800'],
    ['too long, in code points', '😀'.repeat(max + 1)],
    ['with NUL', 'a\u0000b'],
    ['with a line feed', 'a\nb'],
    ['with a tab', 'a\tb'],
    ['with a control character of C1', 'a\u0085b'],
    ['with the first half of a surrogate pair', 'a\ud83d'],
    ['with the second half of a surrogate pair', '\ude00a'],
  ])(`returns 400 when ${member} is %s`, async (_, value) => {
    const before = await tenant().fingerprint();
    expectProblem(await sendWith(value), 'request.invalid', [member]);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
