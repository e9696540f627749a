import { lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

export const gatewayNotices: Migration = {
  name: 'payments_0011_gateway_notices',
  sql: `
-- What providers reported by themselves: kept before it is acted on, each once.
CREATE TABLE gateway_notice (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  gateway_name text NOT NULL,
  event_id text NOT NULL,
  notice jsonb NOT NULL,
  result text,
  received_at timestamptz NOT NULL,
  processed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX gateway_notice_event ON gateway_notice (tenant_id, gateway_name, event_id);
${tenantTable('gateway_notice')}

-- A provider names money by its own ids; whose it is follows from what it answered when it was asked.
CREATE INDEX payment_transaction_reference ON payment_transaction (gateway_name, reference)
  WHERE reference IS NOT NULL AND gateway_name <> 'bank_transfer';
${lookupFunction({
  name: 'payment_transaction_by_reference',
  parameters: 'gateway text, wanted text',
  table: 'payment_transaction',
  columns: ['tenant_id', 'id', 'gateway_name', 'reference', 'type'],
  returns: 'tenant_id uuid, id uuid, type text',
  body: `SELECT t.tenant_id, t.id, t.type FROM payment_transaction t
    WHERE t.gateway_name = gateway AND t.gateway_name <> 'bank_transfer' AND t.reference = wanted`,
})}
`,
};
