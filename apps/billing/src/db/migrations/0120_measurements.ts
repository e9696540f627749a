import { type Migration, tenantTable } from '@kontor/persistence';

/** Readings of what subscription items are measured by. Rows are only ever added. */
export const subscriptionMeasurements: Migration = {
  name: 'billing_0120_measurements',
  sql: `
create table subscription_measurement (
  tenant_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  measurement_id uuid not null,
  -- The client's name for the reading; its own id where it gave none.
  transaction_id text not null,
  quantity text not null,
  measured_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint subscription_measurement_transaction unique (tenant_id, item_id, measurement_id, transaction_id),
  foreign key (tenant_id, item_id) references subscription_item (tenant_id, id) on delete cascade,
  foreign key (tenant_id, measurement_id) references measurement (tenant_id, id)
);
create index subscription_measurement_time on subscription_measurement (tenant_id, item_id, measurement_id, measured_at, id);
create index subscription_measurement_item on subscription_measurement (tenant_id, item_id, measured_at, id);
create index subscription_measurement_measurement on subscription_measurement (tenant_id, measurement_id);
${tenantTable('subscription_measurement')}

-- With fair billing in advance: the quantities since what was charged last, [{"from": day, "quantity": decimal}].
alter table subscription_item add column quantity_steps jsonb;
`,
};
