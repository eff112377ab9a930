import { describe } from '@jest/globals';
import { defineIsolationTests } from './support/isolation-tests.js';
import { startIsolationFixture } from './support/isolation-fixtures.js';

/** Whatever a request leaves behind on its connection, the next one finds, whosever it is. */
describe('The isolation between two tenants that share one connection', () => {
  defineIsolationTests(() => startIsolationFixture({ databasePoolSize: 1 }), { step: 4 });
});
