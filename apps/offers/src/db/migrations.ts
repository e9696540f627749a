import { BUSINESS_LETTERS, fileLookup } from '@kontor/service-kit';
import { customerMergeTables, lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

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
  contact_person jsonb,
  valid_until timestamptz,
  issued_at timestamptz,
  expired_for timestamptz,
  -- Days before the end.
  reminder_days jsonb NOT NULL DEFAULT '[]',
  reminded_at timestamptz,
  -- Whose approval is needed before publication, and what they said.
  approvers jsonb NOT NULL DEFAULT '[]',
  approval jsonb,
  current_version_hash text NOT NULL,
  published_version_hash text,
  -- What recipients see: the content and its price on the day of publication.
  published jsonb,
  -- What the buyer made of its options.
  choice jsonb,
  accepted_at timestamptz,
  signed_at timestamptz,
  captured_invoice_details jsonb,
  -- What follows from acceptance: pending, done or failed; null before.
  sale_state text,
  sale_failure text,
  made_subscription_id uuid,
  made_invoice_id uuid,
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

-- Who has a link to an offer; only the digest of its token is kept.
CREATE TABLE offer_recipient (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  offer_id text NOT NULL,
  email text NOT NULL,
  first_name text,
  last_name text,
  role text NOT NULL CHECK (role IN ('read', 'sign')),
  turn integer NOT NULL,
  send_email boolean NOT NULL,
  mailed_at timestamptz,
  token_digest text NOT NULL,
  signature jsonb,
  signed_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, offer_id) REFERENCES offer (tenant_id, id)
);
CREATE UNIQUE INDEX offer_recipient_token ON offer_recipient (token_digest);
CREATE UNIQUE INDEX offer_recipient_email ON offer_recipient (tenant_id, offer_id, lower(email));
${tenantTable('offer_recipient')}
${lookupFunction({
  name: 'offer_recipient_by_digest',
  parameters: 'digest text',
  table: 'offer_recipient',
  columns: ['tenant_id', 'id', 'token_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT r.tenant_id, r.id FROM offer_recipient r WHERE r.token_digest = digest',
})}

-- Files of offers, by the digest of their bytes; none is ever changed.
CREATE TABLE offer_document (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  offer_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('offer', 'signed', 'audit_log', 'purchase_order')),
  -- What it shows; empty: a file that somebody brought.
  version_hash text NOT NULL,
  file_name text NOT NULL,
  sha256 text NOT NULL,
  size_bytes integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, offer_id) REFERENCES offer (tenant_id, id)
);
CREATE UNIQUE INDEX offer_document_kind ON offer_document (tenant_id, offer_id, kind, version_hash);
${tenantTable('offer_document')}

-- What recipients and staff did on the way to acceptance: entries are only ever added.
CREATE TABLE offer_audit (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  offer_id text NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL,
  email text,
  name text,
  ip text,
  user_agent text,
  version_hash text,
  details jsonb,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX offer_audit_offer ON offer_audit (tenant_id, offer_id, id);
${tenantTable('offer_audit')}
CREATE FUNCTION offer_audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- With the offer that they are about: one that was not accepted when nothing of its customer may stay, a contract when its
  -- term is over.
  IF TG_OP = 'DELETE' AND current_setting('app.erasing', true) = 'on' AND NOT EXISTS (
    SELECT FROM offer o WHERE o.tenant_id = OLD.tenant_id AND o.id = OLD.offer_id AND o.accepted_at IS NOT NULL
      AND NOT may_erase(o.tenant_id, o.accepted_at, ${BUSINESS_LETTERS.years}))
  THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'what is written about an offer stays as it is';
END $$;
${fileLookup('offer_document', 'sha256')}
CREATE TRIGGER offer_document_keep BEFORE UPDATE OR DELETE ON offer_document
  FOR EACH ROW EXECUTE FUNCTION offer_audit_keep();
CREATE TRIGGER offer_audit_keep BEFORE UPDATE OR DELETE ON offer_audit
  FOR EACH ROW EXECUTE FUNCTION offer_audit_keep();
`,
  },
  {
    name: 'offers_0002_checkout',
    sql: `
-- An address at which anybody can buy.
CREATE TABLE checkout_link (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  slug text NOT NULL,
  name text,
  items jsonb NOT NULL,
  options jsonb NOT NULL,
  after_checkout jsonb NOT NULL,
  page jsonb NOT NULL,
  max_sales integer,
  -- Counted by confirmations, under the row's lock.
  sold integer NOT NULL CHECK (sold >= 0 AND (max_sales IS NULL OR sold <= max_sales)),
  enabled_from timestamptz,
  enabled_until timestamptz,
  is_enabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX checkout_link_slug ON checkout_link (tenant_id, slug);
CREATE INDEX checkout_link_created ON checkout_link (tenant_id, created_at, id);
${tenantTable('checkout_link')}
${lookupFunction({
  name: 'checkout_link_by_id',
  parameters: 'wanted uuid',
  table: 'checkout_link',
  columns: ['tenant_id', 'id'],
  returns: 'tenant_id uuid',
  body: 'SELECT l.tenant_id FROM checkout_link l WHERE l.id = wanted',
})}

CREATE TABLE cart (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  -- Of the token that its buyer has.
  token_digest text NOT NULL,
  status text NOT NULL
    CHECK (status IN ('open', 'confirming', 'redirect_to_payment', 'expired', 'completed', 'paid')),
  link_id uuid,
  customer_id uuid,
  customer_email text,
  buyer jsonb,
  items jsonb NOT NULL,
  options jsonb NOT NULL,
  after_checkout jsonb NOT NULL,
  page jsonb NOT NULL,
  custom_fields jsonb,
  language text,
  coupon_code text,
  metadata jsonb,
  quote jsonb NOT NULL,
  confirmation jsonb,
  result jsonb,
  attempt integer NOT NULL,
  subscription_id uuid,
  invoice_id uuid,
  invoice_paid boolean NOT NULL,
  reminded_at timestamptz,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, link_id) REFERENCES checkout_link (tenant_id, id)
);
CREATE UNIQUE INDEX cart_token ON cart (token_digest);
CREATE INDEX cart_link ON cart (tenant_id, link_id) WHERE link_id IS NOT NULL;
CREATE INDEX cart_customer ON cart (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX cart_invoice ON cart (tenant_id, invoice_id) WHERE invoice_id IS NOT NULL;
${tenantTable('cart')}
${lookupFunction({
  name: 'cart_by_digest',
  parameters: 'digest text',
  table: 'cart',
  columns: ['tenant_id', 'id', 'token_digest'],
  returns: 'tenant_id uuid, id uuid',
  body: 'SELECT c.tenant_id, c.id FROM cart c WHERE c.token_digest = digest',
})}

-- What was declared on the public cancellation page (§ 312k BGB), as it arrived.
CREATE TABLE cancellation_notice (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ordinary', 'extraordinary')),
  name text NOT NULL,
  email text NOT NULL,
  contract text NOT NULL,
  reason text,
  wanted_on text,
  language text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'cancelled', 'unclear', 'failed')),
  failure text,
  customer_id uuid,
  subscription_id uuid,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX cancellation_notice_received ON cancellation_notice (tenant_id, received_at, id);
CREATE INDEX cancellation_notice_state ON cancellation_notice (tenant_id, state, received_at, id);
CREATE INDEX cancellation_notice_customer ON cancellation_notice (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
${tenantTable('cancellation_notice')}
`,
  },
  { name: 'offers_0003_customer_merges', sql: customerMergeTables },
  {
    name: 'offers_0004_expired_carts',
    sql: `
-- On real time. Of those that had expired before, nobody knows when.
ALTER TABLE cart ADD expired_at timestamptz;
`,
  },
];
