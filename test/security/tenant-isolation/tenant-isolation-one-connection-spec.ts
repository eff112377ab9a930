import { describe } from '@jest/globals';
import { defineIsolationTests } from './support/isolation-tests.js';
import { startIsolationFixture } from './support/isolation-fixtures.js';

/** All requests share one database connection. Session state that a request leaves behind would reach other tenants. */
describe('Tenant isolation on one shared database connection', () => {
  defineIsolationTests(() => startIsolationFixture({ databasePoolSize: 1 }), { step: 4 });
});
