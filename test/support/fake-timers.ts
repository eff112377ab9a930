import { jest } from '@jest/globals';

const FAKEABLE = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask', 'setImmediate'] as const),
  ...(['clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

/** Fakes only the named functions, until `jest.useRealTimers()`. Sockets keep working. */
export function fakeTimers(...names: (typeof FAKEABLE)[number][]): void {
  jest.useFakeTimers({ doNotFake: FAKEABLE.filter((name) => !names.includes(name)) });
}
