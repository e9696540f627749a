// What a spec gets from `@jest/globals`: jest's own functions, without the virtual machine that jest would put around them.
export { jestExpect as expect } from '@jest/expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
