import { describe, expect, it } from '@jest/globals';
import { emptyingOrder, isNotNamed, type Reference } from './table-order.js';

const names = (child: string, parent: string): Reference => ({
  child,
  parent,
  columns: ['tenant_id', `${parent}_id`],
  parentColumns: ['tenant_id', 'id'],
});

describe('the order in which tables are emptied', () => {
  it('is from what names others to what is named', () => {
    const known = [names('item', 'contract'), names('contract', 'customer'), names('customer', 'customer')];
    expect(emptyingOrder(['customer', 'contract', 'unit', 'item'], known)).toEqual([
      'unit',
      'item',
      'contract',
      'customer',
    ]);
  });

  it('ends where tables name each other', () => {
    expect(emptyingOrder(['a', 'b'], [names('a', 'b'), names('b', 'a')])).toEqual(['a', 'b']);
  });

  it('is within a table from the leaves to the root', () => {
    expect(isNotNamed('customer', [names('customer', 'customer'), names('item', 'customer')])).toBe(
      'NOT EXISTS (SELECT FROM customer named WHERE named.tenant_id = t.tenant_id AND named.customer_id = t.id)',
    );
    expect(isNotNamed('item', [])).toBe('true');
  });
});
