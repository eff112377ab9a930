import base from './jest.config.js';

/** Tests of the OpenAPI document with linters and client generators: `npm run test:clients`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/clients/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
