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
  /** A valid body; for a creation, each is valid beside those that were created. */
  readonly body: () => Record<string, unknown>;
  readonly send: (body: Record<string, unknown>) => Test;
  readonly success: number;
  readonly isOptional?: boolean;
  /** Deletes a created resource, where another one cannot be created beside it. */
  readonly remove?: (id: string) => Test;
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
export function textRules({
  tenant,
  member,
  max,
  body,
  send,
  success,
  isOptional,
  remove,
}: TextUnderTest): void {
  const sendWith = (value: unknown) => send(bodyWith(body(), member, value));

  it(`returns ${success} and stores ${member} as text in NFC, trimmed and with single spaces`, async () => {
    const values = [
      [' \t\u00a0Ärger\u3000\n', 'Ärger'],
      ['A\u0308pfel', 'Äpfel'],
      ['😀'.repeat(max), '😀'.repeat(max)],
      [` ${'A\u0308'.repeat(max)} `, 'Ä'.repeat(max)],
      ['a \u00a0\u2009\u3000b', 'a b'],
      // Characters that are not seen
      ['\u200ba\u00ad\u202eb\u2067\ufeff\u{e0041}\u3164', 'ab'],
      // Otherwise unchanged
      [`a b'"<&>\\%_\u200d\u{10ffff}`, `a b'"<&>\\%_\u200d\u{10ffff}`],
    ];
    for (const [value, expected] of values) {
      const response = await sendWith(value);
      const { [member]: stored } = response.body as Record<string, unknown>;
      expect({ status: response.status, stored }).toEqual({ status: success, stored: expected });
      await remove?.((response.body as { id: string }).id).expect(204);
    }
  });

  it(`returns 400 when ${member} is no text of 1 to ${max} characters without control characters`, async () => {
    const values = [
      ...(isOptional ? [] : [ABSENT]),
      ...[null, 5, true, { toString: 'a' }, ['a']],
      ...['', ' \t\u00a0\n', '\u200b\ufeff\u200d\u2800', '😀'.repeat(max + 1)],
      ...['a\u0000b', 'a\nb', 'a\tb', 'a\u0085b'],
      // Halves of a surrogate pair
      ...['a\ud83d', '\ude00a'],
    ];
    const before = await tenant().fingerprint();
    for (const value of values) expectProblem(await sendWith(value), 'request.invalid', [member]);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
