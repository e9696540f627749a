/** Run through tools/test.mjs. The runner loads specs and sources by itself: jest finds the files and reports. */
export default {
  runner: './tools/jest/runner.mjs',
  globalSetup: './libs/testing/dist/jest-global-setup.js',
  globalTeardown: './libs/testing/dist/jest-global-teardown.js',
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/', '/.cache/', '/.data/'],
  transform: {},
  // Against a test that never ends; none is meant to come near it, however busy the machine is.
  testTimeout: 600_000,
  maxWorkers: 3,
};
