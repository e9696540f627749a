import { type Migration, tenantTable } from '@kontor/persistence';

/** Calendar days are text (`YYYY-MM-DD`, the customer's zone): they are compared as text and never converted in SQL. */
export const subscriptions: Migration = {
  name: '0100_subscriptions',
  sql: `
CREATE TABLE subscription (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  number text NOT NULL,
  external_id text,
  customer_id uuid NOT NULL,
  plan_id uuid,
  name text,
  status text NOT NULL CHECK (status IN ('draft', 'active', 'paused', 'cancelled', 'terminated', 'offer')),
  billing_start timestamptz,
  trial_days int NOT NULL CHECK (trial_days >= 0),
  trial_ends_on timestamptz,
  trial_ended_at timestamptz,
  billing_group_id uuid,
  payment_method_id uuid,
  invoice_address_id uuid,
  po_number text,
  custom_fields jsonb,
  contract_start timestamptz,
  contract_end timestamptz,
  contract_period_count int,
  contract_period text,
  cancellation_period text,
  partner_id uuid,
  next_plan_id uuid,
  plan_change jsonb,
  anchor_on text,
  pauses jsonb NOT NULL,
  ends_on text,
  activated_at timestamptz,
  cancellation_date timestamptz,
  cancelled_at timestamptz,
  cancellation_reason jsonb,
  terminated_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_number_unique UNIQUE (tenant_id, number),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES plan (tenant_id, id),
  FOREIGN KEY (tenant_id, next_plan_id) REFERENCES plan (tenant_id, id),
  FOREIGN KEY (tenant_id, partner_id) REFERENCES customer (tenant_id, id),
  FOREIGN KEY (tenant_id, billing_group_id) REFERENCES billing_group (tenant_id, id)
);
CREATE UNIQUE INDEX subscription_external_id_unique ON subscription (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX subscription_customer ON subscription (tenant_id, customer_id, created_at, id);
CREATE INDEX subscription_status ON subscription (tenant_id, status, created_at, id);
CREATE INDEX subscription_created ON subscription (tenant_id, created_at, id);
CREATE INDEX subscription_plan ON subscription (tenant_id, plan_id) WHERE plan_id IS NOT NULL;
CREATE INDEX subscription_next_plan ON subscription (tenant_id, next_plan_id) WHERE next_plan_id IS NOT NULL;
CREATE INDEX subscription_partner ON subscription (tenant_id, partner_id) WHERE partner_id IS NOT NULL;
CREATE INDEX subscription_billing_group ON subscription (tenant_id, billing_group_id) WHERE billing_group_id IS NOT NULL;
${tenantTable('subscription')}

CREATE TABLE subscription_item (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  ranking int NOT NULL,
  type text NOT NULL CHECK (type IN ('plan', 'addon', 'product')),
  status text NOT NULL CHECK (status IN ('pending', 'active', 'cancelled', 'terminated')),
  price_plan_id uuid NOT NULL,
  quantity text NOT NULL,
  name text,
  description text,
  start_date timestamptz,
  start_on text,
  anchor_on text,
  ends_on text,
  billed_from text,
  billed_to text,
  credit_from text,
  credit_due_on text,
  -- Other prices and quantities, by day: [{id, kind, from, pricePlanId, quantity, credit}].
  planned_changes jsonb,
  -- Agreed from the beginning, counted from the first billed day: [{id, after, pricePlanId, quantity}].
  phases jsonb,
  end_credit text CHECK (end_credit IN ('pro_rata', 'full', 'none')),
  parent_id uuid,
  next_due_on text,
  last_billed_at timestamptz,
  revision int NOT NULL,
  activated_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscription (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, parent_id) REFERENCES subscription_item (tenant_id, id),
  FOREIGN KEY (tenant_id, price_plan_id) REFERENCES price_plan (tenant_id, id)
) WITH (fillfactor = 80);
CREATE INDEX subscription_item_subscription ON subscription_item (tenant_id, subscription_id, ranking);
CREATE INDEX subscription_item_price_plan ON subscription_item (tenant_id, price_plan_id);
-- Nothing that a run changes is indexed here: its updates stay on their page (HOT).
CREATE INDEX subscription_item_customer ON subscription_item (tenant_id, customer_id);
CREATE INDEX subscription_item_parent ON subscription_item (tenant_id, parent_id) WHERE parent_id IS NOT NULL;
${tenantTable('subscription_item')}

-- Prices that an item is to have one day: nobody changes or deletes them meanwhile.
CREATE TABLE planned_price (
  tenant_id uuid NOT NULL,
  item_id uuid NOT NULL,
  price_plan_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, item_id, price_plan_id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES subscription_item (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, price_plan_id) REFERENCES price_plan (tenant_id, id)
);
CREATE INDEX planned_price_price_plan ON planned_price (tenant_id, price_plan_id);
${tenantTable('planned_price')}
`,
};
