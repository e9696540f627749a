import type { Day } from '@kontor/kernel';
import type { SepaScheme, SequenceType } from '../payment-methods/sepa-mandate.js';
import { requiredSepaText, sepaText } from './sepa-text.js';
import { type Elements, writeXml } from './write-xml.js';

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

/** The parts of a file that both formats share, each as the elements that it has. */
export const document = (format: string, content: Elements): string =>
  writeXml({ Document: { '@xmlns': `urn:iso:std:iso:20022:tech:xsd:${format}`, ...content } });

export const groupHeader = ({ messageId, createdAt, owner }: FileHead, orders: readonly FileOrder[]): Elements => ({
  GrpHdr: {
    MsgId: messageId,
    CreDtTm: createdAt.toISOString().replace(/\.\d+Z$/, 'Z'),
    NbOfTxs: String(orders.length),
    CtrlSum: cents(sumOf(orders)),
    InitgPty: { Nm: requiredSepaText(owner.name, 70) },
  },
});

/** What every batch begins with. */
export const batchHead = (method: 'DD' | 'TRF', batch: FileBatch<FileOrder>): Elements => ({
  PmtInfId: batch.paymentInformationId,
  PmtMtd: method,
  BtchBookg: 'true',
  NbOfTxs: String(batch.orders.length),
  CtrlSum: cents(sumOf(batch.orders)),
});

export const party = (who: Party): Elements => ({
  Nm: requiredSepaText(who.name, 70),
  PstlAdr: address(who.address),
});
export const account = (iban: string): Elements => ({ Id: { IBAN: iban } });
export const agent = (bic: string | null): Elements => ({
  FinInstnId: bic ? { BICFI: bic } : { Othr: { Id: 'NOTPROVIDED' } },
});
export const amount = (amountMinor: bigint): Elements => ({ InstdAmt: { '@Ccy': 'EUR', '#': cents(amountMinor) } });
export const remittance = (text: string): Elements => ({ Ustrd: requiredSepaText(text, 140) });

function address(of: StructuredAddress | null): Elements | null {
  if (!of || sepaText(of.city, 35) === '') return null;
  const part = (text: string | null, limit: number): string | null => sepaText(text ?? '', limit) || null;
  return {
    StrtNm: part(of.street, 70),
    BldgNb: part(of.houseNumber, 16),
    PstCd: part(of.zip, 16),
    TwnNm: sepaText(of.city, 35),
    Ctry: of.countryCode,
  };
}
