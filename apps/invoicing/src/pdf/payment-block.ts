import { type Canvas, mm, widthOf } from './canvas.js';
import type { Block } from './flow.js';
import { formatDay, formatIban } from './format.js';
import { giroCodeText, moduleCode } from './giro-code.js';
import { creditTypeOf } from './labels.js';
import { amountText, COLOR, FORM, payableAmount, type Sheet, space, STYLE } from './sheet.js';
import type { Tag } from './tag.js';
import { clip, wrap } from './wrap.js';

interface PaymentWords {
  readonly sentence: string;
  readonly rows: readonly (readonly [string, string])[];
}

const present = (rows: readonly (readonly [string, string | null])[]): [string, string][] =>
  rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));

/** What the recipient has to do, by way of paying. Undefined when nothing can be said. */
function wordsOf(sheet: Sheet): PaymentWords | undefined {
  const { snapshot, labels, language } = sheet;
  const { payment } = snapshot;
  const totalAmount = payableAmount(snapshot);
  const amount = amountText(sheet, Math.abs(totalAmount));
  const due = snapshot.dueDate && formatDay(snapshot.dueDate, language);
  switch (payment.kind) {
    case 'transfer':
      return {
        sentence: labels.payByTransfer(amount, due),
        rows: present([
          [labels.accountHolder, payment.accountHolder],
          ['IBAN', formatIban(payment.iban)],
          ['BIC', payment.bic],
          [labels.bank, payment.bankName],
          [labels.remittance, payment.remittance],
        ]),
      };
    case 'sepa_debit':
      return {
        sentence: labels.payBySepa(amount, payment.debitDate && formatDay(payment.debitDate, language)),
        rows: present([
          [labels.debtorAccount, payment.iban && formatIban(payment.iban)],
          [labels.mandate, payment.mandateReference],
          [labels.creditorIdentifier, payment.creditorIdentifier],
        ]),
      };
    case 'collected':
      return { sentence: labels.payCollected(amount, payment.label), rows: [] };
    case 'credit':
      return { sentence: labels.payCredit[creditTypeOf(snapshot)](amount), rows: [] };
    case 'none':
      return totalAmount === 0 ? { sentence: labels.payNone, rows: [] } : undefined;
  }
}

/** The GiroCode's text, when the document is paid by transfer and can have one. */
export function giroCodeOf(sheet: Sheet): string | undefined {
  const { payment, currencyCode } = sheet.snapshot;
  if (payment.kind !== 'transfer' || !payment.qrCode || currencyCode !== 'EUR' || sheet.snapshot.draft)
    return undefined;
  return giroCodeText({ ...payment, amountMinor: payableAmount(sheet.snapshot) });
}

const CODE = mm(27);

/** A panel with the payment's data, and the GiroCode where the recipient transfers. */
export function paymentBlock(sheet: Sheet, document: Tag): Block | undefined {
  const words = wordsOf(sheet);
  if (!words) return undefined;
  const code = giroCodeOf(sheet);
  const padding = space(sheet, 4.5, 3.5);
  const textWidth = FORM.right - FORM.left - 2 * padding - (code ? CODE + mm(8) : 0);
  const sentence = wrap(words.sentence, textWidth, STYLE.bold);
  const textHeight = sentence.length * mm(4.6) + (words.rows.length > 0 ? mm(2) + words.rows.length * mm(4.7) : 0);
  const height = Math.max(textHeight, code ? CODE + mm(2) : 0) + 2 * padding - mm(1.5);
  const labelWidth = Math.max(0, ...words.rows.map(([label]) => widthOf(label, STYLE.small))) + mm(5);
  return {
    height,
    paint: (canvas, top) => {
      canvas.roundRect(FORM.left, top, FORM.right - FORM.left, height, mm(2), COLOR.panel);
      const x = FORM.left + padding;
      let y = top + padding + mm(2.4);
      const text = document.add('P');
      for (const line of sentence) {
        canvas.text(text, x, y, line, STYLE.bold);
        y += mm(4.6);
      }
      y += mm(2);
      const list = document.add('L');
      for (const [label, value] of words.rows) {
        const [name, content] = list.addPair();
        canvas.text(name, x, y, label, STYLE.small);
        canvas.text(content, x + labelWidth, y, clip(value, textWidth - labelWidth, STYLE.figure), STYLE.figure);
        y += mm(4.7);
      }
      if (!code) return;
      const figure = document.add('Figure', { alt: `GiroCode: ${sheet.labels.scan}` });
      paintCode(canvas, code, figure, FORM.right - padding - CODE, top + padding - mm(0.8), sheet.labels.scan);
    },
  };
}

/** The code on white, with the quiet zone of four modules that readers need. */
function paintCode(canvas: Canvas, text: string, figure: Tag, x: number, top: number, caption: string): void {
  const code = moduleCode(text);
  const unit = CODE / (code.size + 8);
  canvas.roundRect(x, top, CODE, CODE, mm(1.2), COLOR.white);
  canvas.modules(figure, x + 4 * unit, top + 4 * unit, unit, code.operators, COLOR.ink);
  const style = { ...STYLE.label, size: 6.4 };
  canvas.textCenter(null, x + CODE / 2, top + CODE + mm(3.2), caption, style);
}
