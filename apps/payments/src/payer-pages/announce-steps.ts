import { payerActionRequiredV1 } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import type { PayerLinks } from '../collections/payer-links.js';
import { digestOf } from '../payment-methods/tokens.js';

/** Notifies whoever pays, once per collection, that it waits for them; nothing is read where none does. */
export async function announceSteps(tx: TenantTx, books: Books, links: PayerLinks): Promise<void> {
  const waiting = [...books.changedTransactions].filter(
    ({ type, status, intentId }) => type === 'payment' && status === 'action_required' && intentId !== null,
  );
  if (waiting.length === 0) return;
  const intentIds = waiting.map(({ intentId }) => intentId ?? '');
  const announced = await tx.query<{ id: string; transactionId: string }>(
    `INSERT INTO payer_page (tenant_id, id, token_digest, announced_transaction_id, created_at)
       SELECT $1, w.id, w.digest, w.transaction_id, $5
         FROM unnest($2::uuid[], $3::text[], $4::uuid[]) AS w (id, digest, transaction_id)
       ON CONFLICT (tenant_id, id) DO UPDATE SET announced_transaction_id = EXCLUDED.announced_transaction_id
         WHERE payer_page.announced_transaction_id IS DISTINCT FROM EXCLUDED.announced_transaction_id
       RETURNING id, announced_transaction_id AS "transactionId"`,
    [
      tx.tenantId,
      intentIds,
      intentIds.map((id) => digestOf(links.tokenOf(tx.tenantId, id))),
      waiting.map(({ id }) => id),
      tx.now,
    ],
  );
  const events = announced.map(({ id, transactionId }) => {
    const { customerId, amountMinor, currencyCode } = waiting.find((found) => found.id === transactionId)!;
    return {
      aggregateId: transactionId,
      aggregateSeq: 1,
      payload: {
        transactionId,
        customerId: customerId as CustomerId,
        documentNumber: books.intent(id).documentNumber,
        amount: { amount: Number(amountMinor), currencyCode },
        link: links.linkOf(tx.tenantId, id),
      },
    };
  });
  await appendEvents(tx, payerActionRequiredV1, events);
}
