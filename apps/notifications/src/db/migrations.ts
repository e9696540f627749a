import { type Migration, tenantTable } from '@kontor/persistence';

export const notificationsMigrations: Migration[] = [
  {
    name: 'notifications_0001_mails',
    sql: `
CREATE TABLE mail (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'sent', 'failed')),
  sender_name text NOT NULL,
  reply_to text,
  -- Null: of somebody who need not be a customer.
  customer_id uuid,
  recipient text NOT NULL,
  language text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  attachments jsonb NOT NULL,
  attempts integer NOT NULL,
  last_error text,
  created_at timestamptz NOT NULL,
  sent_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX mail_customer ON mail (tenant_id, customer_id);
CREATE UNIQUE INDEX mail_once ON mail (tenant_id, kind, reference);
${tenantTable('mail')}

CREATE TABLE invoice_to_send (
  tenant_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  version bigint NOT NULL,
  state jsonb,
  media jsonb,
  mail_id uuid,
  PRIMARY KEY (tenant_id, invoice_id)
);
${tenantTable('invoice_to_send')}

CREATE TABLE mail_template (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  language text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  version int NOT NULL,
  PRIMARY KEY (tenant_id, kind, language)
);
${tenantTable('mail_template')}
`,
  },
];
