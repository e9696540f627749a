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
import { el, type Element, writeXml } from './xml.js';

export const TRANSFER_FORMAT = 'pain.001.001.09';

/** Credit transfers (refunds and pay-outs) as a file for the bank. @see ISO 20022 pain.001.001.09, EPC132-08 */
export function writeTransfers(head: FileHead, batches: readonly FileBatch<FileOrder>[]): string {
  const orders = batches.flatMap((batch) => batch.orders);
  const body = el('CstmrCdtTrfInitn', groupHeader(head, orders), ...batches.map((batch) => batchOf(head, batch)));
  return writeXml(document(TRANSFER_FORMAT, body));
}

const batchOf = (head: FileHead, batch: FileBatch<FileOrder>): Element =>
  el(
    'PmtInf',
    batchHead('TRF', batch),
    el('PmtTpInf', el('SvcLvl', el('Cd', 'SEPA'))),
    el('ReqdExctnDt', el('Dt', batch.requestedOn)),
    party('Dbtr', head.owner),
    account('DbtrAcct', head.owner.iban),
    agent('DbtrAgt', head.owner.bic),
    el('ChrgBr', 'SLEV'),
    batch.orders.map(transfer),
  );

const transfer = (order: FileOrder): Element =>
  el(
    'CdtTrfTxInf',
    el('PmtId', el('EndToEndId', order.endToEndId)),
    el('Amt', amount(order.amountMinor)),
    order.party.bic ? agent('CdtrAgt', order.party.bic) : null,
    party('Cdtr', order.party),
    account('CdtrAcct', order.party.iban),
    remittance(order.remittance),
  );
