import type { CustomerData } from '@kontor/service-kit';

/** The entry that says so stays: it names nobody. */
const ANONYMIZED = `'customer.anonymized'`;
const announced = (delivery: string): string => `EXISTS (
  SELECT FROM webhook_event e
  WHERE e.tenant_id = $1 AND e.id = ${delivery}.event_id AND e.customer_id = $2 AND e.type <> ${ANONYMIZED})`;

/** What this service knows of customers: the log of what happened, and what receivers got of it. What they have not got yet waits. */
export const customerData: CustomerData = {
  tables: [
    {
      table: 'delivery_attempt',
      of: `EXISTS (
        SELECT FROM delivery d
        WHERE d.tenant_id = $1 AND d.id = t.delivery_id AND d.status <> 'pending' AND ${announced('d')})`,
      key: 'delivery_id',
      erasure: 'delete',
    },
    { table: 'delivery', of: announced('t'), where: `t.status <> 'pending'`, erasure: 'delete' },
    {
      table: 'webhook_event',
      of: `t.customer_id = $2 AND t.type <> ${ANONYMIZED}`,
      where: `NOT EXISTS (SELECT FROM delivery d WHERE d.tenant_id = $1 AND d.event_id = t.id)`,
      erasure: 'delete',
    },
    { table: 'activity', of: `t.customer_id = $2 AND t.type <> ${ANONYMIZED}`, erasure: 'delete' },
  ],
};
