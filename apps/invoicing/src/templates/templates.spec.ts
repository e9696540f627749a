import { expect, it } from '@jest/globals';
import { turnsOfOthers } from '@kontor/testing';
import { textsIn } from './templates.js';

it('others have a turn between the templates of several requests', async () => {
  const template = { introduction: '{% for n in (1..100) %}{{ customer.name }}{% endfor %}' };
  const { result, turns } = await turnsOfOthers(() =>
    Promise.all([1, 2, 3, 4].map(() => textsIn('invoice', template))),
  );
  expect(result).toEqual(Array(4).fill(template));
  expect(turns).toBeGreaterThanOrEqual(3);
});
