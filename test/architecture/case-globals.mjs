import { format } from 'node:util';

/**
 * Replaces `@jest/globals` in the process of list-cases.mjs. It records the titles of suites and cases, and runs no case.
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

/** `each`, with one title for each row. Only jest can format `%p` and `%#`; they always follow the status in a title. */
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

/** Accepts every use of `expect` and `jest` while a file is loaded. */
const anything = new Proxy(nothing, { get: () => anything, apply: () => anything });
export const expect = anything;
export const jest = anything;
