import { describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { pick, readFields, takesFields } from './sparse-fields.js';

const money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });
const schema = Type.Object({
  id: Type.String(),
  total: Type.Union([money, Type.Null()]),
  customer: Type.Record(Type.String(), Type.Unknown()),
  lines: Type.Array(Type.Object({ name: Type.String(), price: money })),
});
const answer = {
  id: '1',
  total: { amount: 5, currencyCode: 'EUR' },
  customer: { email: 'a@b.example', name: 'A' },
  lines: [{ name: 'x', price: { amount: 5, currencyCode: 'EUR' } }],
};
const ask = (fields: unknown): unknown => pick(answer, readFields(fields, schema));

describe('a part of an answer', () => {
  it('has the fields that are asked for, inside others and in lists too', () => {
    expect(ask('id')).toEqual({ id: '1' });
    expect(ask('total.amount,lines.price.currencyCode')).toEqual({
      total: { amount: 5 },
      lines: [{ price: { currencyCode: 'EUR' } }],
    });
    expect(ask('customer.email')).toEqual({ customer: { email: 'a@b.example' } });
    expect(ask('customer.unheardOf')).toEqual({ customer: {} });
  });

  it('has the whole of what is named itself, whatever else is named of it', () => {
    for (const fields of ['total,total.amount', 'total.amount,total'])
      expect(ask(fields)).toEqual({ total: answer.total });
  });

  it('null stays null', () => {
    expect(pick({ ...answer, total: null }, readFields('total.amount', schema))).toEqual({ total: null });
  });

  it.each([
    ['an unknown field', 'name'],
    ['an unknown field inside', 'total.currency'],
    ['a field of what has none', 'id.length'],
    ['nothing', ''],
    ['a blank name', 'id,,total'],
    ['other signs', 'id;total'],
    ['the prototype', '__proto__'],
    ['too deep a name', 'customer.a.b.c.d'],
    ['too many names', Array.from({ length: 51 }, () => 'id').join(',')],
    ['too long a text', 'i'.repeat(1001)],
    ['two texts', ['id', 'total']],
  ])('with %s is refused', (_name, fields) => {
    expect(() => readFields(fields, schema)).toThrow(expect.objectContaining({ reason: 'invalid_request' }));
  });

  it('is for reads that need a permission and have no ETag', () => {
    const read = { id: 'a', summary: 'a', tag: 'a', permission: 'customer:read', response: schema };
    expect(takesFields('GET', read)).toBe(true);
    expect(takesFields('POST', read)).toBe(false);
    expect(takesFields('GET', { ...read, hasETag: true })).toBe(false);
    expect(takesFields('GET', { ...read, permission: null })).toBe(false);
    expect(takesFields('GET', { ...read, responseType: 'text/csv' })).toBe(false);
  });
});
