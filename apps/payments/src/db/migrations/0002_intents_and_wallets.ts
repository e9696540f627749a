import { type Migration, tenantTable } from '@kontor/persistence';

export const intentsAndWallets: Migration = {
  name: 'payments_0002_intents_and_wallets',
  sql: `
-- Everything that moves a customer's money takes this row first: one customer's money is decided one thing at a time.
CREATE TABLE customer_books (
  tenant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, customer_id)
);

CREATE TABLE payment_method (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  gateway_name text NOT NULL,
  type text,
  reference_id text,
  is_default boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'action_required', 'expired', 'revoked', 'gateway_unconfigured')),
  source text NOT NULL CHECK (source IN ('checkout', 'customerfront', 'api', 'add_link')),
  enabled boolean NOT NULL,
  future_usage_allowed boolean NOT NULL,
  name text,
  creation_date timestamptz NOT NULL,
  expiration_date timestamptz,
  deleted_at timestamptz,
  version integer NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (NOT (is_default AND deleted_at IS NOT NULL))
);
CREATE UNIQUE INDEX payment_method_default ON payment_method (tenant_id, customer_id) WHERE is_default;
CREATE INDEX payment_method_customer ON payment_method (tenant_id, customer_id) WHERE deleted_at IS NULL;
CREATE INDEX payment_method_status ON payment_method (tenant_id, status, id)
  WHERE deleted_at IS NULL AND status <> 'active';
CREATE INDEX payment_method_date ON payment_method (tenant_id, creation_date DESC NULLS LAST, id DESC)
  WHERE deleted_at IS NULL;

CREATE TABLE payment_intent (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  invoice_id uuid,
  top_up_id uuid,
  customer_id uuid NOT NULL,
  document_number text NOT NULL,
  document_type text NOT NULL,
  currency_code text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  open_minor bigint NOT NULL,
  pending_minor bigint NOT NULL CHECK (pending_minor >= 0),
  credit_applied_minor bigint NOT NULL CHECK (credit_applied_minor >= 0),
  status text NOT NULL CHECK (status IN ('open', 'processing', 'succeeded', 'failed', 'cancelled')),
  payment_method_id uuid,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  fail_reason text,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((paid_at IS NOT NULL) = (status = 'succeeded'))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payment_intent_invoice ON payment_intent (tenant_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX payment_intent_customer ON payment_intent (tenant_id, customer_id, id);
CREATE INDEX payment_intent_waiting ON payment_intent (tenant_id, customer_id)
  WHERE status IN ('open', 'processing', 'failed');

CREATE TABLE payment_transaction (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('payment', 'refund', 'return')),
  status text NOT NULL CHECK (status IN ('pending', 'action_required', 'succeeded', 'failed', 'returned')),
  currency_code text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  fee_minor bigint CHECK (fee_minor >= 0),
  payment_method_id uuid,
  gateway_name text,
  payment_date timestamptz NOT NULL,
  reference text,
  description text,
  operation_id text,
  collection_id uuid,
  intent_id uuid,
  returned_transaction_id uuid,
  fail_reason text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payment_transaction_operation ON payment_transaction (tenant_id, operation_id)
  WHERE operation_id IS NOT NULL;
CREATE UNIQUE INDEX payment_transaction_returned_once ON payment_transaction (tenant_id, returned_transaction_id)
  WHERE returned_transaction_id IS NOT NULL;
CREATE INDEX payment_transaction_undecided ON payment_transaction (tenant_id, collection_id)
  WHERE status IN ('pending', 'action_required');
CREATE INDEX payment_transaction_customer ON payment_transaction (tenant_id, customer_id, id);
CREATE INDEX payment_transaction_intent ON payment_transaction (tenant_id, intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX payment_transaction_method ON payment_transaction (tenant_id, payment_method_id, id);
CREATE INDEX payment_transaction_status ON payment_transaction (tenant_id, status, id) WHERE status <> 'succeeded';
CREATE INDEX payment_transaction_type ON payment_transaction (tenant_id, type, id) WHERE type <> 'payment';
CREATE INDEX payment_transaction_date ON payment_transaction (tenant_id, payment_date DESC NULLS LAST, id DESC);

CREATE TABLE payment_allocation (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  intent_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('payment', 'payout', 'return', 'credit', 'credit_reversed', 'to_wallet',
    'from_wallet', 'credit_note')),
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  transaction_id uuid,
  wallet_transaction_id uuid,
  counter_intent_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX payment_allocation_intent ON payment_allocation (tenant_id, intent_id);
CREATE INDEX payment_allocation_transaction ON payment_allocation (tenant_id, transaction_id)
  WHERE transaction_id IS NOT NULL;

CREATE TABLE wallet (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  currency_code text NOT NULL,
  balance_minor bigint NOT NULL CHECK (balance_minor >= 0),
  version integer NOT NULL,
  sequence integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX wallet_customer ON wallet (tenant_id, customer_id, currency_code);

CREATE TABLE wallet_transaction (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  currency_code text NOT NULL,
  type text NOT NULL CHECK (type IN ('top_up', 'overpayment', 'credit_note', 'invoice_payment',
    'invoice_payment_reversal', 'adjustment', 'expiry', 'payout')),
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  balance_after_minor bigint NOT NULL CHECK (balance_after_minor >= 0),
  sequence integer NOT NULL,
  intent_id uuid,
  invoice_id uuid,
  transaction_id uuid,
  origin jsonb NOT NULL,
  description text,
  uses jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX wallet_transaction_order ON wallet_transaction (tenant_id, wallet_id, sequence);
CREATE INDEX wallet_transaction_customer ON wallet_transaction (tenant_id, customer_id, created_at, sequence);
CREATE INDEX wallet_transaction_date ON wallet_transaction (tenant_id, created_at, sequence, id);

CREATE TABLE wallet_lot (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  source_transaction_id uuid,
  source_intent_id uuid,
  origin jsonb NOT NULL,
  promotional boolean NOT NULL,
  expires_at timestamptz,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  remaining_minor bigint NOT NULL CHECK (remaining_minor BETWEEN 0 AND amount_minor),
  -- Changes once, when all is used: were the rest itself in the index's condition, each use would write all indexes again.
  usable boolean NOT NULL GENERATED ALWAYS AS (remaining_minor > 0) STORED,
  ordinal integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
) WITH (fillfactor = 80);
CREATE INDEX wallet_lot_usable ON wallet_lot (tenant_id, wallet_id) WHERE usable;
CREATE INDEX wallet_lot_source ON wallet_lot (tenant_id, source_transaction_id) WHERE source_transaction_id IS NOT NULL;

${[
  'customer_books',
  'payment_method',
  'payment_intent',
  'payment_transaction',
  'payment_allocation',
  'wallet',
  'wallet_transaction',
  'wallet_lot',
]
  .map(tenantTable)
  .join('\n')}
`,
};
