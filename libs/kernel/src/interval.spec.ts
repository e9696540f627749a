import { expect, it } from '@jest/globals';
import { INTERVAL_PATTERN, isInterval } from './interval.js';

it('documents state of intervals what is accepted', () => {
  const pattern = new RegExp(INTERVAL_PATTERN);
  const texts = ['D', 'W', 'M', 'Y', 'H'].flatMap((unit) =>
    Array.from({ length: 10_001 }, (_, count) => `${count}${unit}`),
  );
  expect(texts.filter((text) => pattern.test(text) !== isInterval(text))).toEqual([]);
});
