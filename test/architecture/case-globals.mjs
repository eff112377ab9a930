import { format } from 'node:util';

/**
 * Stands in for `@jest/globals` in a process of its own (list-cases.mjs): describes and cases are noted down by their
 * titles, nothing is run.
 */
export const cases = [];
const path = [];

function note(title) {
  cases.push([...path, title]);
}

function group(title, work) {
  path.push(title);
  work();
  path.pop();
}

/** `each`, with the titles of its rows; what jest alone can format (`%p`, `%#`) comes after the status. */
function each(work) {
  return (table) => (title, callback) => {
    for (const row of table) {
      const values = Array.isArray(row) ? row : [row];
      work(format(title, ...values), () => callback(...values));
    }
  };
}

export const describe = Object.assign(group, { each: each(group) });
export const it = Object.assign(note, { each: each(note) });
export const test = it;

const nothing = () => undefined;
export const beforeAll = nothing;
export const beforeEach = nothing;
export const afterAll = nothing;
export const afterEach = nothing;

/** Whatever a file asks of `expect` and `jest` while it is only being read. */
const anything = new Proxy(nothing, { get: () => anything, apply: () => anything });
export const expect = anything;
export const jest = anything;
