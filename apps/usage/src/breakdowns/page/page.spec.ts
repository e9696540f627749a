import { expect, it } from '@jest/globals';
import { turnsOfOthers } from '@kontor/testing';
import type { BreakdownDocument, BreakdownPosition } from '../../domain/breakdowns/breakdown-document.js';
import { breakdownPage } from './page.js';

const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const position = (n: number): BreakdownPosition =>
  ({
    id: `p${n}`,
    name: `Traffic ${n}`,
    description: null,
    quantity: '1',
    unitName: null,
    unitPrice: { amount: 100, currencyCode: 'EUR' },
    netAmount: { amount: 100, currencyCode: 'EUR' },
    usage: { from, to, quantity: '1', unit: 'GB' },
    granularity: 'month',
    additive: true,
    parts: [{ from, to, value: '1', events: 1 }],
  }) as unknown as BreakdownPosition;

it('is made in turns with others, and whole', async () => {
  const document = {
    number: 'RE-1',
    type: 'TYPE_INVOICE',
    finalizedAt: to,
    timeZone: 'Europe/Berlin',
    sellerName: 'Nordlicht',
    sellerEmail: null,
    customerName: 'Backhaus',
    positions: [1, 2, 3, 4].map(position),
    omittedPositions: 0,
  } as unknown as BreakdownDocument;
  const { result: html, turns } = await turnsOfOthers(() =>
    breakdownPage(document, { language: 'en', path: '/u', cancelled: false }),
  );
  expect(turns).toBeGreaterThanOrEqual(document.positions.length - 1);
  expect([...html.matchAll(/<h2 id="p-(\d)">\d\. Traffic (\d)</g)].map(([, at, name]) => at! + name!)).toEqual([
    '11',
    '22',
    '33',
    '44',
  ]);
});
