import { expect, it } from '@jest/globals';
import { urlParts } from './url-parts.js';

it.each([
  ['/customers', '/customers', ''],
  ['/customers?', '/customers', ''],
  ['/customers?a=1', '/customers', 'a=1'],
  ['/customers?a=b?c&d=1', '/customers', 'a=b?c&d=1'],
  ['/customers??', '/customers', '?'],
])('%s has the path %s and the query %j', (url, path, query) => expect(urlParts(url)).toEqual({ path, query }));
