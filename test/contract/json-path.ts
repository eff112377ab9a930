/** The steps to a part of a JSON value: names of members and indices of items. */
export type JsonPath = readonly (string | number)[];

/** The path as `errors` of a problem name it: `fields[0].key`. */
export function pathText(path: JsonPath): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index ? '.' : ''}${step}`))
    .join('');
}

/** A copy of the value with another one at the path. */
export function replaced(whole: unknown, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value;
  const inner = (whole as Record<string, unknown> | undefined)?.[step];
  if (Array.isArray(whole))
    return whole.map((item: unknown, index) => (index === step ? replaced(item, rest, value) : item));
  return { ...(whole as object), [step]: replaced(inner, rest, value) };
}
