import {
  account,
  agent,
  amount,
  batchHead,
  type DebitBatch,
  type DebitOrder,
  document,
  type FileHead,
  groupHeader,
  party,
  remittance,
} from './payment-file.js';
import type { Elements } from './write-xml.js';

export const DIRECT_DEBIT_FORMAT = 'pain.008.001.08';

/** Direct debits as a file for the bank. @see ISO 20022 pain.008.001.08, EPC130-08 */
export function writeDirectDebits(
  head: FileHead & { readonly creditorIdentifier: string },
  batches: readonly DebitBatch[],
): string {
  const orders = batches.flatMap((batch) => batch.orders);
  return document(DIRECT_DEBIT_FORMAT, {
    CstmrDrctDbtInitn: { ...groupHeader(head, orders), PmtInf: batches.map((batch) => batchOf(head, batch)) },
  });
}

const batchOf = (head: FileHead & { readonly creditorIdentifier: string }, batch: DebitBatch): Elements => ({
  ...batchHead('DD', batch),
  PmtTpInf: { SvcLvl: { Cd: 'SEPA' }, LclInstrm: { Cd: batch.scheme }, SeqTp: batch.sequenceType },
  ReqdColltnDt: batch.requestedOn,
  Cdtr: party(head.owner),
  CdtrAcct: account(head.owner.iban),
  CdtrAgt: agent(head.owner.bic),
  ChrgBr: 'SLEV',
  CdtrSchmeId: { Id: { PrvtId: { Othr: { Id: head.creditorIdentifier, SchmeNm: { Prtry: 'SEPA' } } } } },
  DrctDbtTxInf: batch.orders.map(debit),
});

const debit = (order: DebitOrder): Elements => ({
  PmtId: { EndToEndId: order.endToEndId },
  ...amount(order.amountMinor),
  DrctDbtTx: {
    MndtRltdInf: { MndtId: order.mandateReference, DtOfSgntr: order.signedOn, AmdmntInd: 'false' },
  },
  DbtrAgt: agent(order.party.bic),
  Dbtr: party(order.party),
  DbtrAcct: account(order.party.iban),
  RmtInf: remittance(order.remittance),
});
