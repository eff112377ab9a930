import base from './jest.config.js';

/**
 * Tests that need installed programs: `npm run test:services`. On the PATH: `redis-server`, `tesseract` (with German and
 * English), `soffice` (LibreOffice with Writer, Calc and Impress), OpenStack Swift (`swift-proxy-server` and the storage
 * servers), `pg_dump`, `pg_restore`, `tar` and `xz`. Also PostgreSQL in the folder that Debian uses.
 */
export default {
  ...base,
  testMatch: ['<rootDir>/test/services/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
