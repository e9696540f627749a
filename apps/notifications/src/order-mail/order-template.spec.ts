import { expect, it } from '@jest/globals';
import { renderTemplate } from '../mails/render-template.js';
import { ORDER_TEMPLATES } from './order-template.js';

it('confirms an order of a thousand lines', () => {
  const lines = Array.from({ length: 1000 }, (_, n) => ({ quantity: '1', name: `Item ${n}`, amount: '1.00 €' }));
  const { text, html } = renderTemplate(ORDER_TEMPLATES.en, {
    lines,
    discount: '',
    firstTerm: '',
    notice: '',
    measured: [],
    recurring: [],
  });
  for (const part of [text, html]) expect(part).toContain('Item 999');
});
