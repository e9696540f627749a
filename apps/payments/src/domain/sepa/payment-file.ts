import type { Day } from '@kontor/kernel';
import type { SepaScheme, SequenceType } from '../payment-methods/sepa-mandate.js';
import { requiredSepaText, sepaText } from './sepa-text.js';
import { el, type Element, elWith } from './xml.js';

/** An address in its parts; a bank accepts it so or not at all. */
export interface StructuredAddress {
  readonly street: string | null;
  readonly houseNumber: string | null;
  readonly zip: string | null;
  readonly city: string;
  readonly countryCode: string;
}

/** A name and its account. */
export interface Party {
  readonly name: string;
  readonly iban: string;
  readonly bic: string | null;
  readonly address: StructuredAddress | null;
}

/** One order to the bank. Amounts are cents. */
export interface FileOrder {
  /** At most 35 characters; comes back with the bank's lines. */
  readonly endToEndId: string;
  readonly amountMinor: bigint;
  readonly party: Party;
  readonly remittance: string;
}

export interface DebitOrder extends FileOrder {
  readonly mandateReference: string;
  readonly signedOn: Day;
}

/** Orders that the bank carries out together: one day, and for debits one sequence and scheme. */
export interface FileBatch<Order extends FileOrder> {
  readonly paymentInformationId: string;
  readonly requestedOn: Day;
  readonly orders: readonly Order[];
}

export interface DebitBatch extends FileBatch<DebitOrder> {
  readonly sequenceType: SequenceType;
  readonly scheme: SepaScheme;
}

export interface FileHead {
  readonly messageId: string;
  readonly createdAt: Date;
  /** Who orders: the tenant. */
  readonly owner: Party;
}

export const sumOf = (orders: readonly FileOrder[]): bigint =>
  orders.reduce((sum, order) => sum + order.amountMinor, 0n);

/** Cents as banks write them: `119.00`. */
export const cents = (amountMinor: bigint): string =>
  `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`;

export const document = (format: string, ...children: Element[]): Element =>
  elWith('Document', { xmlns: `urn:iso:std:iso:20022:tech:xsd:${format}` }, ...children);

export const groupHeader = ({ messageId, createdAt, owner }: FileHead, orders: readonly FileOrder[]): Element =>
  el(
    'GrpHdr',
    el('MsgId', messageId),
    el('CreDtTm', createdAt.toISOString().replace(/\.\d+Z$/, 'Z')),
    el('NbOfTxs', String(orders.length)),
    el('CtrlSum', cents(sumOf(orders))),
    el('InitgPty', el('Nm', requiredSepaText(owner.name, 70))),
  );

/** What every batch begins with. */
export const batchHead = (method: 'DD' | 'TRF', batch: FileBatch<FileOrder>): Element[] => [
  el('PmtInfId', batch.paymentInformationId),
  el('PmtMtd', method),
  el('BtchBookg', 'true'),
  el('NbOfTxs', String(batch.orders.length)),
  el('CtrlSum', cents(sumOf(batch.orders))),
];

export const party = (name: string, who: Party): Element =>
  el(name, el('Nm', requiredSepaText(who.name, 70)), address(who.address));
export const account = (name: string, iban: string): Element => el(name, el('Id', el('IBAN', iban)));
export const agent = (name: string, bic: string | null): Element =>
  el(name, el('FinInstnId', bic ? el('BICFI', bic) : el('Othr', el('Id', 'NOTPROVIDED'))));
export const amount = (amountMinor: bigint): Element => elWith('InstdAmt', { Ccy: 'EUR' }, cents(amountMinor));
export const remittance = (text: string): Element => el('RmtInf', el('Ustrd', requiredSepaText(text, 140)));

function address(of: StructuredAddress | null): Element | null {
  if (!of || sepaText(of.city, 35) === '') return null;
  const part = (name: string, text: string | null, limit: number) => {
    const written = sepaText(text ?? '', limit);
    return written === '' ? null : el(name, written);
  };
  return el(
    'PstlAdr',
    part('StrtNm', of.street, 70),
    part('BldgNb', of.houseNumber, 16),
    part('PstCd', of.zip, 16),
    el('TwnNm', sepaText(of.city, 35)),
    el('Ctry', of.countryCode),
  );
}
