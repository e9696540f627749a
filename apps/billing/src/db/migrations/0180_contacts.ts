import { type Migration, tenantTable } from '@kontor/persistence';

/** Who belongs to customers, and groups of them. The default e-mail address of a customer is its own column. */
export const contacts: Migration = {
  name: 'billing_0180_contacts',
  sql: `
CREATE TABLE customer_group (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  name text NOT NULL,
  description text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX customer_group_name_unique ON customer_group (tenant_id, lower(name));
CREATE INDEX customer_group_created ON customer_group (tenant_id, created_at, id);
${tenantTable('customer_group')}

ALTER TABLE customer ADD COLUMN customer_group_id uuid;
ALTER TABLE customer ADD CONSTRAINT customer_group_exists
  FOREIGN KEY (tenant_id, customer_group_id) REFERENCES customer_group (tenant_id, id);
CREATE INDEX customer_group_members ON customer (tenant_id, customer_group_id, created_at, id)
  WHERE customer_group_id IS NOT NULL;

CREATE TABLE contact_person (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  salutation text,
  first_name text,
  last_name text NOT NULL,
  email text,
  phone text,
  role text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX contact_person_customer ON contact_person (tenant_id, customer_id, created_at, id);
${tenantTable('contact_person')}

CREATE TABLE customer_email_address (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  email text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX customer_email_address_customer ON customer_email_address (tenant_id, customer_id, created_at, id);
${tenantTable('customer_email_address')}
`,
};
