import {
  account,
  agent,
  amount,
  batchHead,
  document,
  type FileBatch,
  type FileHead,
  type FileOrder,
  groupHeader,
  party,
  remittance,
} from './payment-file.js';
import type { Elements } from './write-xml.js';

export const TRANSFER_FORMAT = 'pain.001.001.09';

/** Credit transfers (refunds and pay-outs) as a file for the bank. @see ISO 20022 pain.001.001.09, EPC132-08 */
export function writeTransfers(head: FileHead, batches: readonly FileBatch<FileOrder>[]): string {
  const orders = batches.flatMap((batch) => batch.orders);
  return document(TRANSFER_FORMAT, {
    CstmrCdtTrfInitn: { ...groupHeader(head, orders), PmtInf: batches.map((batch) => batchOf(head, batch)) },
  });
}

const batchOf = (head: FileHead, batch: FileBatch<FileOrder>): Elements => ({
  ...batchHead('TRF', batch),
  PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
  ReqdExctnDt: { Dt: batch.requestedOn },
  Dbtr: party(head.owner),
  DbtrAcct: account(head.owner.iban),
  DbtrAgt: agent(head.owner.bic),
  ChrgBr: 'SLEV',
  CdtTrfTxInf: batch.orders.map(transfer),
});

const transfer = (order: FileOrder): Elements => ({
  PmtId: { EndToEndId: order.endToEndId },
  Amt: amount(order.amountMinor),
  CdtrAgt: order.party.bic ? agent(order.party.bic) : null,
  Cdtr: party(order.party),
  CdtrAcct: account(order.party.iban),
  RmtInf: remittance(order.remittance),
});
