import { type Migration, tenantTable } from '@kontor/persistence';

export const offersMigrations: Migration[] = [
  {
    name: 'offers_0001_offers',
    sql: `
CREATE TABLE offer (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  version bigint NOT NULL,
  number text NOT NULL,
  status text NOT NULL,
  customer_id uuid NOT NULL,
  name text,
  deal_type text NOT NULL,
  acceptance_mode text NOT NULL,
  locale text,
  subscription_id uuid,
  auto_activate_subscription boolean NOT NULL,
  crm_deal_id text,
  custom_variables jsonb,
  sections jsonb NOT NULL,
  valid_until timestamptz,
  issued_at timestamptz,
  expired_for timestamptz,
  current_version_hash text NOT NULL,
  published_version_hash text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX offer_number ON offer (tenant_id, number);
CREATE INDEX offer_customer ON offer (tenant_id, customer_id, created_at, id);
CREATE INDEX offer_status ON offer (tenant_id, status, created_at, id);
CREATE INDEX offer_deal_type ON offer (tenant_id, deal_type, created_at, id);
CREATE INDEX offer_crm_deal ON offer (tenant_id, crm_deal_id) WHERE crm_deal_id IS NOT NULL;
CREATE INDEX offer_valid_until ON offer (tenant_id, valid_until, id);
CREATE INDEX offer_created ON offer (tenant_id, created_at, id);
${tenantTable('offer')}

-- The last number assigned in a year; locked by the transaction that assigns the next one, so there are no gaps.
CREATE TABLE offer_series (
  tenant_id uuid NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (tenant_id, year)
);
${tenantTable('offer_series')}
`,
  },
];
