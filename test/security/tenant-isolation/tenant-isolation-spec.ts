import { describe } from '@jest/globals';
import { defineIsolationTests } from './support/isolation-tests.js';
import { startIsolationFixture } from './support/isolation-fixtures.js';

describe('Tenant isolation', () => {
  defineIsolationTests(() => startIsolationFixture());
});
