import { type Migration, tenantTable } from '@kontor/persistence';

/** Readings of what subscription items are measured by. Rows are only ever added. */
export const subscriptionMeasurements: Migration = {
  name: 'billing_0120_measurements',
  sql: `
CREATE TABLE subscription_measurement (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  item_id uuid NOT NULL,
  measurement_id uuid NOT NULL,
  -- The client's name for the reading; its own id where it gave none.
  transaction_id text NOT NULL,
  quantity text NOT NULL,
  measured_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT subscription_measurement_transaction UNIQUE (tenant_id, item_id, measurement_id, transaction_id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES subscription_item (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, measurement_id) REFERENCES measurement (tenant_id, id)
);
CREATE INDEX subscription_measurement_time ON subscription_measurement (tenant_id, item_id, measurement_id, measured_at, id);
CREATE INDEX subscription_measurement_item ON subscription_measurement (tenant_id, item_id, measured_at, id);
CREATE INDEX subscription_measurement_measurement ON subscription_measurement (tenant_id, measurement_id);
${tenantTable('subscription_measurement')}

-- With fair billing in advance: the quantities since what was charged last, [{"from": day, "quantity": decimal}].
ALTER TABLE subscription_item ADD COLUMN quantity_steps jsonb;
`,
};
