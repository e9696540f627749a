import { type Day, invariant, uuidToUlid } from '@kontor/kernel';
import type { SecretBox } from '@kontor/service-kit';
import type { DebitBatch, DebitOrder, FileBatch, FileOrder, Party } from '../domain/sepa/payment-file.js';
import { sumOf } from '../domain/sepa/payment-file.js';
import { DIRECT_DEBIT_FORMAT, writeDirectDebits } from '../domain/sepa/write-direct-debits.js';
import { TRANSFER_FORMAT, writeTransfers } from '../domain/sepa/write-transfers.js';
import { ibanOf } from '../payment-methods/new-method.js';
import type { Waiting } from './load-waiting.js';
import type { SepaFile } from './sepa-file.row.js';
import type { SepaKind } from './sepa-order.row.js';

interface FileInput {
  readonly id: string;
  readonly kind: SepaKind;
  readonly waiting: readonly Waiting[];
  /** The first day that the bank can still keep; orders for earlier days move to it. */
  readonly earliest: Day;
  readonly owner: Party;
  readonly creditorIdentifier: string;
  readonly now: Date;
  readonly secrets: SecretBox;
}

/**
 * Writes the file and notes in its orders where they are: one batch for each day, and for debits each sequence and
 * scheme.
 */
export function makeFile(input: FileInput): { xml: string; file: Omit<SepaFile, 'blobKey'> } {
  const { id, kind, waiting, owner, now } = input;
  const stem = uuidToUlid(id);
  const groups = new Map<string, Waiting[]>();
  for (const entry of waiting) {
    const { order, method } = entry;
    if (order.requestedOn < input.earliest) order.requestedOn = input.earliest;
    const key = [order.requestedOn, order.sequenceType, method?.details.mandate?.scheme].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const batches = [...groups.values()].map((group, index) => batchOf(group, `${stem}-${index + 1}`, input));
  const head = { messageId: `MSG-${stem}`, createdAt: now, owner };
  const orders = batches.flatMap(({ written }) => written.orders);
  const xml =
    kind === 'debit'
      ? writeDirectDebits(
          { ...head, creditorIdentifier: input.creditorIdentifier },
          batches.map(({ written }) => written as DebitBatch),
        )
      : writeTransfers(
          head,
          batches.map(({ written }) => written),
        );
  const file: Omit<SepaFile, 'blobKey'> = {
    id,
    kind,
    format: kind === 'debit' ? DIRECT_DEBIT_FORMAT : TRANSFER_FORMAT,
    messageId: head.messageId,
    fileName: `sepa-${kind}s-${now.toISOString().slice(0, 10)}-${stem}.xml`,
    orderCount: orders.length,
    sumMinor: sumOf(orders),
    batches: batches.map(({ shown }) => shown),
    createdAt: now,
  };
  return { xml, file };
}

function batchOf(group: readonly Waiting[], paymentInformationId: string, input: FileInput) {
  const [first] = group;
  invariant(first, 'a batch has orders');
  for (const { order } of group) {
    order.status = 'exported';
    order.fileId = input.id;
    order.paymentInformationId = paymentInformationId;
  }
  const orders = group.map((waiting) => orderOf(waiting, input.secrets));
  const { requestedOn, sequenceType } = first.order;
  const scheme = first.method?.details.mandate?.scheme ?? null;
  const written: FileBatch<FileOrder> = { paymentInformationId, requestedOn, orders };
  return {
    written: scheme && sequenceType ? { ...written, sequenceType, scheme } : written,
    shown: {
      paymentInformationId,
      requestedOn,
      sequenceType,
      scheme,
      count: orders.length,
      sumMinor: String(sumOf(orders)),
    },
  };
}

function orderOf({ order, method }: Waiting, secrets: SecretBox): FileOrder | DebitOrder {
  const iban = order.ibanSecret !== null ? secrets.open(order.ibanSecret, order.id) : method && ibanOf(secrets, method);
  invariant(iban, `the order ${order.id} has an account`);
  const common: FileOrder = {
    endToEndId: order.endToEndId,
    amountMinor: order.amountMinor,
    party: { name: order.partyName, iban, bic: order.bic, address: null },
    remittance: order.remittance,
  };
  const mandate = method?.details.mandate;
  return mandate ? { ...common, mandateReference: mandate.reference, signedOn: mandate.signedOn } : common;
}
