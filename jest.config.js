/** Tests run the TypeScript sources as ES modules (see docs/adr/0002-esm-and-jest.md for the moving parts). */
export default {
  testEnvironment: 'node',
  rootDir: '.',
  testMatch: ['<rootDir>/test/**/*-spec.ts'],
  // They have configurations of their own: jest.<name>.config.js.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/services/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Only so that a test that hangs ends: how fast the machine is proves nothing, and what takes time is told by bench/.
  testTimeout: 300_000,
  maxWorkers: 2,
  // What a suite has loaded as ES modules stays in its process for good: nearly 4 GB after all suites.
  workerIdleMemoryLimit: '1536MB',
};
