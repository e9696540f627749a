import { expect, it } from '@jest/globals';
import { onDemand } from './on-demand.js';

it('is loaded when it is first asked for, and once', () => {
  const absent = onDemand('no-such-package', import.meta.url);
  expect(absent).toThrow(/no-such-package/);
  const library = onDemand<typeof import('node:path')>('node:path', import.meta.url);
  expect(library().join('a', 'b')).toBe('a/b');
  expect(library()).toBe(library());
});
