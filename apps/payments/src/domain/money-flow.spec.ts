import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Books } from './customer-books/books.js';
import { changeMethod, settleCollection } from './collections/collections.js';
import { accountKey } from './ledger/chart-of-accounts.js';
import { adjustWallet, creditDocument, expireCredit } from './wallet/credit.js';
import { applyCredit, reverseCredit } from './wallet/apply-credit.js';
import type { CreditRules } from './customer-books/credit-rules.js';
import { openDocument } from './intents/open-document.js';
import { type Intent, waitsForPayer } from './customer-books/intent.js';
import { type PaymentEffects, returnPayment } from './returns/return-payment.js';
import { recordPayment, type ReportedPayment } from './intents/record-payment.js';
import type { ChargeableMethod } from './payment-methods/payment-method.js';
import { startRefund } from './refunds/refunds.js';
import type { PaymentTransaction } from './customer-books/transaction.js';

const now = new Date('2026-03-01T10:00:00Z');
const both: CreditRules = { walletEnabled: true, creditOverpayments: true, applyAutomatically: true, expiryDays: null };
const method = (gatewayName: string): ChargeableMethod => ({
  id: `m-${gatewayName}`,
  customerId: 'c',
  gatewayName,
  status: 'active',
  enabled: true,
  futureUsageAllowed: true,
});
const bank = method('bank_transfer');

let counter = 0;
let books: Books;
const fresh = (rules: Partial<CreditRules> = {}, at = now): Books =>
  new Books(at, () => `id-${++counter}`, { rules: new Map([['c', { ...both, ...rules }]]) });
const day = (n: number): Date => new Date(now.getTime() + n * 86_400_000);

const invoice = (gross: number, more: { due?: number; number?: string; method?: ChargeableMethod | null; type?: string } = {}): Intent =>
  openDocument(books, {
    invoiceId: `inv-${++counter}`, type: more.type ?? (gross < 0 ? 'TYPE_CREDIT' : 'TYPE_INVOICE'), number: more.number ?? `RE-${counter}`, customerId: 'c',
    currencyCode: 'EUR', grossMinor: BigInt(gross), taxMinor: 0n, dueAt: day(more.due ?? 14),
  }, more.method ?? null, 'batch').intent; // prettier-ignore
const pay = (intent: Intent, amount: number | null, more: Partial<ReportedPayment> = {}): PaymentTransaction =>
  recordPayment(books, intent, bank, {
    operationId: `op-${++counter}`,
    amountMinor: amount === null ? null : BigInt(amount),
    currencyCode: null,
    feeMinor: null,
    paymentDate: null,
    description: 'd',
    ...more,
  });
const balance = (): number => Number(books.wallets.get('c/EUR')?.balanceMinor ?? 0n);
const adjust = (amount: number): unknown =>
  adjustWallet(books, { customerId: 'c', currencyCode: 'EUR', amountMinor: BigInt(amount), description: 'd' });
/** What a return of this payment has to undo, as the database would tell. */
const effectsOf = (tx: PaymentTransaction): PaymentEffects => {
  const lots = new Set([...books.newLots].filter((lot) => lot.sourceTransactionId === tx.id).map((lot) => lot.id));
  const spent = new Map<string, { intentId: string; lotId: string; amountMinor: bigint }>();
  for (const line of books.walletTransactions) {
    const sign = line.type === 'invoice_payment' ? 1n : line.type === 'invoice_payment_reversal' ? -1n : 0n;
    for (const use of line.uses.filter((u) => sign !== 0n && lots.has(u.lotId))) {
      const key = `${line.intentId}/${use.lotId}`;
      spent.set(key, {
        intentId: line.intentId!,
        lotId: use.lotId,
        amountMinor: (spent.get(key)?.amountMinor ?? 0n) + sign * use.amountMinor,
      });
    }
  }
  return {
    paid: books.allocations.filter((a) => a.transactionId === tx.id && a.kind === 'payment'),
    spent: [...spent.values()].filter((s) => s.amountMinor > 0n),
  };
};

/** The rules that hold after every step, whatever was done. */
function checkBooks(): void {
  const ledger = new Map<string, bigint>();
  for (const op of books.operations) {
    if (op.kind === 'pending' || op.kind === 'void') continue;
    for (const t of op.transfers) {
      ledger.set(accountKey(t.debit), (ledger.get(accountKey(t.debit)) ?? 0n) + t.amountMinor);
      ledger.set(accountKey(t.credit), (ledger.get(accountKey(t.credit)) ?? 0n) - t.amountMinor);
    }
  }
  expect([...ledger.values()].reduce((a, b) => a + b, 0n)).toBe(0n);
  const open = [...books.intents.values()].reduce((sum, i) => sum + i.openMinor, 0n);
  expect(ledger.get('receivable/c/EUR') ?? 0n).toBe(open);
  const wallet = books.wallets.get('c/EUR');
  const lots = wallet ? books.lotsOf(wallet.id).reduce((sum, l) => sum + l.remainingMinor, 0n) : 0n;
  expect(-(ledger.get('wallet/c/EUR') ?? 0n)).toBe(BigInt(balance()));
  expect(lots).toBe(BigInt(balance()));
  for (const intent of books.intents.values()) {
    const allocated = books.allocations
      .filter((a) => a.intentId === intent.id)
      .reduce((sum, a) => sum + a.amountMinor, 0n);
    expect(intent.openMinor).toBe(intent.amountMinor - allocated);
    expect(intent.paidAt !== null).toBe(intent.status === 'succeeded');
  }
}

beforeEach(() => {
  books = fresh();
});

describe('overpayment', () => {
  it('with the setting on the invoice is paid, its open amount zero, the excess is credit', () => {
    const i = invoice(11900);
    pay(i, 15000);
    expect([i.status, i.openMinor, balance()]).toEqual(['succeeded', 0n, 3100]);
    expect(books.walletTransactions[0]).toMatchObject({
      type: 'overpayment',
      amountMinor: 3100n,
      origin: { gatewayName: 'bank_transfer', paymentMethodId: bank.id },
    });
    checkBooks();
  });

  it('a further payment credits only the new excess', () => {
    const i = invoice(11900, { method: method('testing') });
    pay(i, 15000);
    const collection = [...books.newTransactions][0]!;
    settleCollection(books, collection, { status: 'succeeded', reference: 'r' });
    expect([i.openMinor, balance()]).toEqual([0n, 3100 + 11900]);
    expect(books.walletTransactions.map((t) => Number(t.amountMinor))).toEqual([3100, 11900]);
    checkBooks();
  });

  it.each([
    ['the setting off', { creditOverpayments: false }],
    ['the feature off', { walletEnabled: false, creditOverpayments: false, applyAutomatically: false }],
  ])('with %s it is paid and open by the negative excess, without a wallet entry', (_name, rules) => {
    books = fresh(rules);
    const i = invoice(11900);
    pay(i, 15000);
    expect([i.status, i.openMinor, books.walletTransactions.length]).toEqual(['succeeded', -3100n, 0]);
    checkBooks();
  });
});

describe('credit pays open invoices', () => {
  it('oldest due first, ties by number, each completely, the last in part', () => {
    const [c, b, a, other] = [
      invoice(100, { due: 20 }),
      invoice(100, { due: 10, number: 'RE-10' }),
      invoice(100, { due: 10, number: 'RE-9' }),
      invoice(50, { due: 1 }),
    ];
    adjust(230);
    expect([other, a, b, c].map((i) => Number(i!.openMinor))).toEqual([0, 0, 20, 100]);
    expect(balance()).toBe(0);
    checkBooks();
  });

  it('before the collection, which asks only for the rest', () => {
    adjust(30);
    const i = invoice(100, { method: method('testing') });
    expect([i.status, i.openMinor, i.pendingMinor]).toEqual(['processing', 70n, 70n]);
    checkBooks();
  });

  it('leaves alone what a gateway is collecting, and comes in when that fails', () => {
    const i = invoice(100, { method: method('testing') });
    adjust(60);
    expect([i.openMinor, balance()]).toEqual([100n, 60]);
    settleCollection(books, [...books.newTransactions][0]!, { status: 'declined', reason: 'declined' });
    expect([i.status, i.openMinor, balance()]).toEqual(['failed', 40n, 0]);
    checkBooks();
  });

  it('also credit that a refund to the wallet brings', () => {
    const [paid, open] = [invoice(100, { due: 1 }), invoice(80, { due: 2 })];
    pay(paid, 100);
    creditDocument(books, invoice(-100, { type: 'TYPE_REFUND' }));
    expect([open.openMinor, balance()]).toEqual([0n, 20]);
    checkBooks();
  });

  it('never with what is on its way back already', () => {
    const refund = invoice(-100, { type: 'TYPE_REFUND' });
    startRefund(
      books,
      refund,
      { paymentId: 'p', paymentMethodId: null, gatewayName: 'testing', amountMinor: 60n },
      'c',
    );
    creditDocument(books, refund);
    expect([refund.openMinor, refund.pendingMinor, balance()]).toEqual([-60n, 60n, 40]);
    checkBooks();
  });

  it('while a collection waits for the payer, before another method is asked, but not what a gateway is collecting', () => {
    const i = invoice(117, { method: method('fake_provider') });
    adjust(60);
    expect([i.openMinor, i.payerMinor, balance()]).toEqual([117n, 0n, 60]);
    settleCollection(books, [...books.newTransactions][0]!, { status: 'action_required', reference: 'r' });
    expect([i.openMinor, i.payerMinor, balance()]).toEqual([57n, 117n, 0]);
    changeMethod(books, i, method('testing'), 'c2');
    expect([i.openMinor, i.pendingMinor, balance()]).toEqual([57n, 57n, 0]);
    checkBooks();
  });

  it('does nothing with the setting off, and not across currencies', () => {
    books = fresh({ applyAutomatically: false });
    const i = invoice(100);
    adjust(100);
    expect(i.openMinor).toBe(100n);
    books = fresh();
    const j = invoice(100);
    adjustWallet(books, { customerId: 'c', currencyCode: 'CHF', amountMinor: 100n, description: 'd' });
    expect(j.openMinor).toBe(100n);
  });
});

describe('collections', () => {
  it('ten answers and a late contradiction book once', () => {
    const i = invoice(100, { method: method('testing') });
    const collection = [...books.newTransactions][0]!;
    const changed = Array.from({ length: 10 }, () =>
      settleCollection(books, collection, { status: 'succeeded', reference: 'r' }),
    );
    settleCollection(books, collection, { status: 'declined', reason: 'late' });
    expect(changed.filter(Boolean)).toHaveLength(1);
    expect([i.status, i.openMinor, i.pendingMinor, collection.status]).toEqual(['succeeded', 0n, 0n, 'succeeded']);
    checkBooks();
  });

  it('an action needed keeps it under way until it is decided', () => {
    const i = invoice(117, { method: method('fake_provider') });
    const collection = [...books.newTransactions][0]!;
    settleCollection(books, collection, { status: 'action_required', reference: 'r' });
    expect([i.status, collection.status]).toEqual(['processing', 'action_required']);
    expect([i.payerMinor, waitsForPayer(i)]).toEqual([117n, true]);
    settleCollection(books, collection, { status: 'pending', reference: 'r' });
    expect([i.status, i.payerMinor, waitsForPayer(i)]).toEqual(['processing', 0n, false]);
    settleCollection(books, collection, { status: 'action_required', reference: 'r' });
    settleCollection(books, collection, { status: 'succeeded', reference: 'r' });
    expect([i.status, i.payerMinor, waitsForPayer(i)]).toEqual(['succeeded', 0n, false]);
  });

  it.each([
    ['a bank transfer waits', bank],
    ['an expired method waits', { ...method('testing'), status: 'expired' as const }],
    ['a disabled method waits', { ...method('testing'), enabled: false }],
  ])('%s', (_name, m) => {
    const i = invoice(100, { method: m });
    expect([i.status, i.paymentMethodId, books.newTransactions.size]).toEqual(['open', m.id, 0]);
  });
});

describe('credit notes', () => {
  it('first lower the open invoices, oldest first; the rest is credit', () => {
    const [young, old] = [invoice(100, { due: 20 }), invoice(100, { due: 10 })];
    const note = invoice(-250);
    expect([old!.openMinor, young!.openMinor, note.openMinor, note.status, balance()]).toEqual([
      0n,
      0n,
      0n,
      'succeeded',
      50,
    ]);
    checkBooks();
  });

  it('without the wallet the rest stays open for a pay-out, which is recorded like a payment', () => {
    books = fresh({ walletEnabled: false, creditOverpayments: false, applyAutomatically: false });
    const i = invoice(100);
    const note = invoice(-150);
    expect([i.openMinor, note.openMinor, note.status]).toEqual([0n, -50n, 'open']);
    expect(() => pay(note, 51)).toThrow(expect.objectContaining({ reason: 'validation_failed' }));
    expect(pay(note, null)).toMatchObject({ type: 'refund', amountMinor: 50n });
    expect([note.openMinor, note.status]).toEqual([0n, 'succeeded']);
    checkBooks();
  });
});

describe('a reported payment is refused', () => {
  const refused: [string, number, number | null, Partial<ReportedPayment>, string][] = [
    ['in another currency', 100, 50, { currencyCode: 'CHF' }, 'currency_mismatch'],
    ['in another currency without an amount', 100, null, { currencyCode: 'CHF' }, 'currency_mismatch'],
    ['of zero', 100, 0, {}, 'validation_failed'],
    ['below zero', 100, -5, {}, 'validation_failed'],
    ['from tomorrow', 100, 50, { paymentDate: new Date(now.getTime() + 1) }, 'validation_failed'],
    ['with a negative fee', 100, 50, { feeMinor: -1n }, 'validation_failed'],
  ];
  it.each(refused)('%s', (_name, gross, amount, more, reason) => {
    const i = invoice(gross);
    const before = books.operations.length;
    expect(() => pay(i, amount, more)).toThrow(expect.objectContaining({ reason }));
    expect([i.openMinor, books.operations.length]).toEqual([BigInt(gross), before]);
  });

  it('when the invoice is paid', () => {
    const i = invoice(100);
    pay(i, null);
    expect(() => pay(i, 1)).toThrow(expect.objectContaining({ reason: 'invoice_not_unpaid' }));
  });
});

describe('returns', () => {
  it('open the invoice again and take the fee', () => {
    const i = invoice(100);
    const tx = pay(i, 100, { paymentDate: new Date('2026-02-27T00:00:00Z') });
    expect(i.paidAt).toEqual(new Date('2026-02-27T00:00:00Z'));
    const back = returnPayment(books, tx, effectsOf(tx), { reason: 'no funds', feeMinor: 3n });
    expect([i.status, i.openMinor, i.paidAt, tx.status, back.type]).toEqual(['open', 100n, null, 'returned', 'return']);
    expect(() => returnPayment(books, tx, effectsOf(tx), { reason: 'again', feeMinor: 0n })).toThrow(
      expect.objectContaining({ reason: 'invalid_status_transition' }),
    );
    checkBooks();
  });

  it('take back the credit that the payment had brought', () => {
    const i = invoice(119);
    const tx = pay(i, 150);
    returnPayment(books, tx, effectsOf(tx), { reason: 'r', feeMinor: 0n });
    expect([i.openMinor, balance()]).toEqual([119n, 0]);
    checkBooks();
  });

  it('invoices that this credit paid are open again: what no money paid is owed', () => {
    const i = invoice(119, { due: 1 });
    const tx = pay(i, 150);
    const next = invoice(31, { due: 2 });
    expect(next.status).toBe('succeeded');
    returnPayment(books, tx, effectsOf(tx), { reason: 'r', feeMinor: 0n });
    expect([i.openMinor, next.openMinor, next.status, next.creditAppliedMinor, balance()]).toEqual([
      119n,
      31n,
      'open',
      0n,
      0,
    ]);
    expect(books.walletTransactions.map((t) => [t.type, Number(t.amountMinor)])).toEqual([
      ['overpayment', 31],
      ['invoice_payment', -31],
      ['invoice_payment_reversal', 31],
      ['overpayment', -31],
    ]);
    checkBooks();
  });

  it('credit that was taken by hand meanwhile stays owed on the invoice that had brought it', () => {
    const i = invoice(119, { due: 1 });
    const tx = pay(i, 150);
    adjust(-31);
    returnPayment(books, tx, effectsOf(tx), { reason: 'r', feeMinor: 0n });
    expect(i.openMinor).toBe(150n);
    checkBooks();
  });

  it('other credit then pays what is open again', () => {
    const i = invoice(119, { due: 1 });
    const tx = pay(i, 150);
    adjust(100);
    returnPayment(books, tx, effectsOf(tx), { reason: 'r', feeMinor: 0n });
    expect([i.openMinor, balance()]).toEqual([19n, 0]);
    checkBooks();
  });
});

describe('credit ends and comes back', () => {
  it('ends only when it was given: what was paid in stays', () => {
    books = fresh({ expiryDays: 10, applyAutomatically: false });
    adjust(100);
    pay(invoice(1000), 1500);
    invoice(-300);
    const lots = books.lotsOf(books.wallets.get('c/EUR')!.id);
    expect(lots.map(({ amountMinor, expiresAt }) => [Number(amountMinor), expiresAt])).toEqual([
      [100, day(10)],
      [500, null],
      [300, null],
    ]);
  });

  it('books out expired lots only', () => {
    books = fresh({ expiryDays: 10 });
    adjust(100);
    const wallet = books.wallets.get('c/EUR')!;
    const later = new Books(day(10), () => `id-${++counter}`, { wallets: [wallet], lots: books.lotsOf(wallet.id) });
    later.rulesOf = () => both;
    adjustWallet(later, { customerId: 'c', currencyCode: 'EUR', amountMinor: 5n, description: 'd' });
    expireCredit(later, wallet);
    expect(wallet.balanceMinor).toBe(5n);
    expect(later.walletTransactions.at(-1)).toMatchObject({
      type: 'expiry',
      amountMinor: -100n,
      balanceAfterMinor: 5n,
    });
  });

  it('a reversal gives credit back to the lots it came from', () => {
    adjust(40);
    adjust(40);
    const i = invoice(60);
    const lots = books.lotsOf(books.wallets.get('c/EUR')!.id);
    expect(lots.map((l) => l.remainingMinor)).toEqual([0n, 20n]);
    reverseCredit(
      books,
      i,
      books.walletTransactions.filter((t) => t.type === 'invoice_payment').flatMap((t) => t.uses),
    );
    expect(lots.map((l) => l.remainingMinor)).toEqual([40n, 40n]);
    expect([i.openMinor, i.creditAppliedMinor, balance()]).toEqual([60n, 0n, 80]);
    checkBooks();
  });

  it('more credit than there is cannot be taken', () => {
    adjust(10);
    expect(() => adjust(-11)).toThrow(expect.objectContaining({ reason: 'insufficient_credit' }));
    expect(() =>
      adjustWallet(fresh(), { customerId: 'c', currencyCode: 'EUR', amountMinor: -1n, description: 'd' }),
    ).toThrow();
    adjust(-10);
    expect(balance()).toBe(0);
  });
});

describe('any order of everything', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('invoice' as const),
      n: fc.integer({ min: 1, max: 300 }),
      due: fc.integer({ min: 0, max: 5 }),
      collect: fc.boolean(),
    }),
    fc.record({
      do: fc.constant('note' as const),
      n: fc.integer({ min: 1, max: 300 }),
      due: fc.constant(0),
      collect: fc.constant(false),
    }),
    fc.record({
      do: fc.constantFrom(
        'pay' as const,
        'succeed' as const,
        'decline' as const,
        'return' as const,
        'adjust' as const,
        'apply' as const,
      ),
      n: fc.integer({ min: 1, max: 400 }),
      due: fc.nat(9),
      collect: fc.boolean(),
    }),
  );
  it('keeps the books', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 25 }),
        fc.boolean(),
        fc.boolean(),
        (steps, creditOverpayments, applyAutomatically) => {
          books = fresh({ creditOverpayments, applyAutomatically });
          for (const s of steps) {
            const unpaid = [...books.intents.values()].filter((i) => i.openMinor > 0n && i.amountMinor > 0n);
            const undecided = [...books.transactions.values()].filter((t) => t.status === 'pending');
            const returnable = [...books.transactions.values()].filter(
              (t) => t.type === 'payment' && t.status === 'succeeded',
            );
            const pick = <T>(all: readonly T[]): T | undefined => all[s.due % Math.max(all.length, 1)];
            if (s.do === 'invoice') invoice(s.n, { due: s.due, method: s.collect ? method('testing') : null });
            if (s.do === 'note') invoice(-s.n);
            if (s.do === 'pay' && pick(unpaid)) pay(pick(unpaid)!, s.n);
            if (s.do === 'succeed' && pick(undecided))
              settleCollection(books, pick(undecided)!, { status: 'succeeded', reference: 'r' });
            if (s.do === 'decline' && pick(undecided))
              settleCollection(books, pick(undecided)!, { status: 'declined', reason: 'x' });
            if (s.do === 'return' && pick(returnable))
              returnPayment(books, pick(returnable)!, effectsOf(pick(returnable)!), { reason: 'r', feeMinor: 0n });
            if (s.do === 'adjust') adjust(s.collect || balance() < s.n ? s.n : -s.n);
            if (s.do === 'apply') applyCredit(books, 'c', 'EUR');
            checkBooks();
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
