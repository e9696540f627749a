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
import { el, type Element, writeXml } from './xml.js';

export const DIRECT_DEBIT_FORMAT = 'pain.008.001.08';

/** Direct debits as a file for the bank. @see ISO 20022 pain.008.001.08, EPC130-08 */
export function writeDirectDebits(
  head: FileHead & { readonly creditorIdentifier: string },
  batches: readonly DebitBatch[],
): string {
  const orders = batches.flatMap((batch) => batch.orders);
  const body = el('CstmrDrctDbtInitn', groupHeader(head, orders), ...batches.map((batch) => batchOf(head, batch)));
  return writeXml(document(DIRECT_DEBIT_FORMAT, body));
}

function batchOf(head: FileHead & { readonly creditorIdentifier: string }, batch: DebitBatch): Element {
  return el(
    'PmtInf',
    batchHead('DD', batch),
    el(
      'PmtTpInf',
      el('SvcLvl', el('Cd', 'SEPA')),
      el('LclInstrm', el('Cd', batch.scheme)),
      el('SeqTp', batch.sequenceType),
    ),
    el('ReqdColltnDt', batch.requestedOn),
    party('Cdtr', head.owner),
    account('CdtrAcct', head.owner.iban),
    agent('CdtrAgt', head.owner.bic),
    el('ChrgBr', 'SLEV'),
    el(
      'CdtrSchmeId',
      el('Id', el('PrvtId', el('Othr', el('Id', head.creditorIdentifier), el('SchmeNm', el('Prtry', 'SEPA'))))),
    ),
    batch.orders.map(debit),
  );
}

const debit = (order: DebitOrder): Element =>
  el(
    'DrctDbtTxInf',
    el('PmtId', el('EndToEndId', order.endToEndId)),
    amount(order.amountMinor),
    el(
      'DrctDbtTx',
      el(
        'MndtRltdInf',
        el('MndtId', order.mandateReference),
        el('DtOfSgntr', order.signedOn),
        el('AmdmntInd', 'false'),
      ),
    ),
    agent('DbtrAgt', order.party.bic),
    party('Dbtr', order.party),
    account('DbtrAcct', order.party.iban),
    remittance(order.remittance),
  );
