import { describe, expect, it } from '@jest/globals';
import { listSql, page } from './list-sql.js';
import { readListQuery } from './list-query.js';

const order = { order: ['name', 'at'] } as const;
const orderBy = (query: Record<string, string>, defaultOrder?: string): string =>
  listSql(readListQuery(query, order), {
    columns: { name: 'name', at: { sql: 'at', filled: true } },
    ...(defaultOrder ? { defaultOrder } : {}),
  }).orderBy;

describe('the order of a list', () => {
  it('continues in the direction of what is asked, so that one index has all of it', () => {
    expect(orderBy({})).toBe('created_at DESC, id DESC');
    expect(orderBy({ 'order[at]': 'desc' })).toBe('at DESC, created_at DESC, id DESC');
    expect(orderBy({ 'order[at]': 'asc' })).toBe('at ASC, created_at ASC, id ASC');
    expect(orderBy({ 'order[name]': 'asc' }, 'day DESC NULLS LAST, id DESC')).toBe(
      'name ASC NULLS FIRST, day ASC NULLS FIRST, id ASC',
    );
  });

  it('has what is missing at the end that the direction says', () => {
    expect(orderBy({ 'order[name]': 'desc' })).toBe('name DESC NULLS LAST, created_at DESC, id DESC');
  });
});

describe('the parameters of a list', () => {
  it('are there once, unless they are filters', () => {
    const read = (query: Record<string, unknown>) => readListQuery(query, { ...order, filters: { tag: 'text' } });
    expect(read({ tag: ['a', 'b'] }).filters).toEqual({ tag: ['a', 'b'] });
    for (const parameter of ['page', 'limit', 'order[at]'])
      expect(() => read({ [parameter]: ['1', '2'] })).toThrow('must be there once');
  });
});

describe('the pagination', () => {
  const estimate = { items: 12_000, isEstimate: true };
  const of = (items: number, total: number | typeof estimate, current: number) =>
    page(Array<number>(items).fill(0), total, { page: current, limit: 10 }).meta.pagination;

  it('says so when the total is an estimate', () => {
    expect(of(10, 95, 1)).toEqual({
      totalItems: 95,
      itemsPerPage: 10,
      currentPage: 1,
      lastPage: 10,
      pageTotalItems: 10,
    });
    expect(of(10, estimate, 1)).toMatchObject({ totalItems: 12_000, lastPage: 1_200, totalIsEstimate: true });
  });

  it('never estimates less than the page shows: a full page may have a next one', () => {
    expect(of(10, estimate, 1_500)).toMatchObject({ totalItems: 15_001, lastPage: 1_501, totalIsEstimate: true });
  });

  it('knows the total on a page that is not full', () => {
    const last = of(3, estimate, 1_500);
    expect(last).toMatchObject({ totalItems: 14_993, lastPage: 1_500 });
    expect(last).not.toHaveProperty('totalIsEstimate');
  });
});
