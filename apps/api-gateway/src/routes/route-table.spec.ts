import { describe, expect, it } from '@jest/globals';
import { type Route, RouteTable } from './route-table.js';

const route = (operationId: string): Route => ({ service: 'billing', permission: null, operationId });
const table = new RouteTable();
table.add('get', '/customers', route('list'));
table.add('post', '/customers', route('create'));
table.add('get', '/customers/{id}', route('get'));
table.add('get', '/customers/{id}/activities', route('activities'));
table.add('post', '/payment/transactions/{id}/return', route('return'));
table.add('post', '/payment/transactions/import', route('import'));

const found = (method: string, path: string): unknown => {
  const match = table.match(method, path);
  return match && ('route' in match ? match.route.operationId : match.allowed);
};

describe('routes', () => {
  it.each([
    ['GET', '/customers', 'list'],
    ['POST', '/customers', 'create'],
    ['GET', '/customers/1', 'get'],
    ['GET', '/customers/1/activities', 'activities'],
    ['POST', '/payment/transactions/import', 'import'],
    ['POST', '/payment/transactions/7/return', 'return'],
    ['DELETE', '/customers', ['GET', 'POST']],
    ['GET', '/customers/', undefined],
    ['GET', '/customers/1/nothing', undefined],
    ['GET', '/', undefined],
    ['GET', '//', undefined],
  ])('%s %s', (method, path, expected) => expect(found(method, path)).toEqual(expected));
});
