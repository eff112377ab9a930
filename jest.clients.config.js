import base from './jest.config.js';

/** The OpenAPI document as other tools read it, and clients made from it: `npm run test:clients`. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/clients/**/*-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
