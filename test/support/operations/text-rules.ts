import { expect, it } from '@jest/globals';
import { type Test } from 'supertest';
import { expectProblem } from '../expect-problem.js';
import { type TestTenant } from '../tenant.js';

/** Stands for a member that the body does not have. */
export const ABSENT = Symbol('absent');

export interface TextUnderTest {
  readonly tenant: () => TestTenant;
  /** The member of the body, and the path that `errors` names it by. */
  readonly member: string;
  /** In code points. */
  readonly max: number;
  /** A body that is fine. */
  readonly body: () => Record<string, unknown>;
  readonly send: (body: Record<string, unknown>) => Test;
  readonly success: number;
  /** Whether the member may be absent. */
  readonly isOptional?: boolean;
}

/** A body with another value for one member, or without it. */
export function bodyWith(
  body: Record<string, unknown>,
  member: string,
  value: unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...body, [member]: value }).filter(([, content]) => content !== ABSENT),
  );
}

/** The rules that every text follows: what is made of it, and what is refused without being stored. */
export function textRules({ tenant, member, max, body, send, success, isOptional }: TextUnderTest): void {
  const sendWith = (value: unknown) => send(bodyWith(body(), member, value));

  it.each([
    ['trimmed', ' \t\u00a0Ärger\u3000\n', 'Ärger'],
    ['composed (NFC)', 'A\u0308rger', 'Ärger'],
    ['as long as it may be, in code points', '😀'.repeat(max), '😀'.repeat(max)],
    ['as long as it may be once it is composed and trimmed', ` ${'A\u0308'.repeat(max)} `, 'Ä'.repeat(max)],
    ['kept as it is otherwise', `a  b\u00ad'"<&>\\%_\u{10ffff}`, `a  b\u00ad'"<&>\\%_\u{10ffff}`],
  ])(`${success}: ${member} is %s`, async (_, value, expected) => {
    const response = await sendWith(value);
    expect([response.status, (response.body as Record<string, unknown>)[member]]).toEqual([
      success,
      expected,
    ]);
  });

  it.each([
    ...(isOptional ? [] : [['not there', ABSENT] as const]),
    ['null', null],
    ['a number', 5],
    ['a boolean', true],
    ['an object', { toString: 'a' }],
    ['an array', ['a']],
    ['empty', ''],
    ['nothing but space', ' \t\u00a0\n'],
    ['too long, in code points', '😀'.repeat(max + 1)],
    ['with NUL', 'a\u0000b'],
    ['with a line feed', 'a\nb'],
    ['with a tab', 'a\tb'],
    ['with a control character of C1', 'a\u0085b'],
    ['with the first half of a surrogate pair', 'a\ud83d'],
    ['with the second half of a surrogate pair', '\ude00a'],
  ])(`400: ${member} is %s`, async (_, value) => {
    const before = await tenant().fingerprint();
    expectProblem(await sendWith(value), 'request.invalid', [member]);
    expect(await tenant().fingerprint()).toEqual(before);
  });
}
