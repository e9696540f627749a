import { BOOKS } from '@kontor/service-kit';
import { LEDGER_BATCH_SQL } from './ledger-batch.sql.js';

/**
 * The double-entry ledger. The application may read these tables and call `book_transfers`, nothing else: no row can
 * be changed or removed, and balances move only together with transfers.
 *
 * Tenant-wide accounts are hit by every booking; their balance is kept in stripes 1 to 64 (by connection), so that
 * bookings of different customers do not wait for each other. A balance is the sum of its stripes; customers' accounts
 * have stripe 0 alone.
 *
 * What a column may hold is said by its type: PostgreSQL parses a table's CHECK constraints anew for every statement,
 * which cost 31 of the 79 µs of a posting; what it knows of a type it keeps
 * (docs/adr/0015-types-instead-of-checks-in-the-ledger.md).
 */
export const LEDGER_SQL = `
CREATE DOMAIN ledger_amount AS bigint CHECK (VALUE > 0);
CREATE DOMAIN ledger_sum AS bigint CHECK (VALUE >= 0);
CREATE DOMAIN ledger_kind AS text CHECK (VALUE IN ('posted', 'pending', 'post', 'void'));

CREATE TABLE ledger_account (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  code text NOT NULL,
  customer_id uuid,
  currency_code text NOT NULL,
  side text NOT NULL CHECK (side IN ('debit', 'credit')),
  guarded boolean NOT NULL,
  striped boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CHECK (NOT (guarded AND striped)),
  CHECK (NOT guarded OR side = 'credit')
);
CREATE UNIQUE INDEX ledger_account_key ON ledger_account (tenant_id, code, customer_id,
  currency_code) NULLS NOT DISTINCT;

CREATE TABLE ledger_balance (
  tenant_id uuid NOT NULL,
  account_id uuid NOT NULL,
  stripe smallint NOT NULL,
  currency_code text NOT NULL,
  -- A reservation may be made in one stripe and resolved in another: only the sum of stripes is never negative.
  pending_debit_amount bigint NOT NULL DEFAULT 0,
  pending_credit_amount bigint NOT NULL DEFAULT 0,
  posted_debit_amount ledger_sum NOT NULL DEFAULT 0,
  posted_credit_amount ledger_sum NOT NULL DEFAULT 0,
  -- What a guarded account may still give: posted credits minus posted and pending debits, by its type never below
  -- zero.
  -- Null for accounts that may be in the red: whatever is added to it, it stays null.
  available_amount ledger_sum,
  PRIMARY KEY (tenant_id, account_id, stripe)
) WITH (fillfactor = 50);

CREATE TABLE ledger_transfer (
  tenant_id uuid NOT NULL,
  operation_key text NOT NULL,
  leg smallint NOT NULL,
  kind ledger_kind NOT NULL,
  resolves_key text,
  debit_account_id uuid NOT NULL,
  credit_account_id uuid NOT NULL,
  currency_code text NOT NULL,
  amount ledger_amount NOT NULL,
  booked_at timestamptz NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (tenant_id, operation_key, leg)
);
CREATE UNIQUE INDEX ledger_transfer_resolved_once ON ledger_transfer (tenant_id, resolves_key, leg)
  WHERE resolves_key IS NOT NULL;

CREATE FUNCTION ledger_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Of a tenant that is deleted, when its term is over.
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM tenant_erasure e WHERE e.tenant_id = OLD.tenant_id)
    AND may_erase(OLD.tenant_id, coalesce(to_jsonb(OLD)->>'booked_at', to_jsonb(OLD)->>'created_at')::timestamptz,
      ${BOOKS.years})
  THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'ledger rows are never changed or removed' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_transfer_immutable BEFORE UPDATE
  OR DELETE ON ledger_transfer FOR EACH ROW EXECUTE FUNCTION ledger_is_immutable();
CREATE TRIGGER ledger_transfer_kept BEFORE TRUNCATE
  ON ledger_transfer FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_immutable();
CREATE TRIGGER ledger_account_immutable BEFORE UPDATE
  OR DELETE ON ledger_account FOR EACH ROW EXECUTE FUNCTION ledger_is_immutable();

-- Deletes a portion of a deleted tenant's ledger and answers how many transfers there were; the accounts go last. All of
-- it goes or nothing: a balance is the sum of all its transfers.
CREATE FUNCTION erase_ledger(p_tenant uuid, p_most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  v_gone integer;
BEGIN
  IF current_setting('app.tenant', true) IS DISTINCT FROM p_tenant::text THEN
    RAISE EXCEPTION 'the ledger of another tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NOT EXISTS (SELECT FROM tenant_erasure e WHERE e.tenant_id = p_tenant AND may_erase(p_tenant,
    greatest(e.begun_at, (SELECT max(t.booked_at) FROM ledger_transfer t WHERE t.tenant_id = p_tenant)), ${BOOKS.years}))
  THEN
    RETURN 0;
  END IF;
  DELETE FROM ledger_transfer WHERE (tenant_id, operation_key, leg) IN (
    SELECT t.tenant_id, t.operation_key, t.leg FROM ledger_transfer t WHERE t.tenant_id = p_tenant LIMIT p_most);
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone = 0 THEN
    DELETE FROM ledger_balance WHERE tenant_id = p_tenant;
    DELETE FROM ledger_account WHERE tenant_id = p_tenant;
  END IF;
  RETURN v_gone;
END $$;

-- The transaction is of this tenant; one without a tenant becomes its.
CREATE FUNCTION ledger_of(p_tenant uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('app.tenant', true), '') = '' THEN
    PERFORM set_config('app.tenant', p_tenant::text, true);
  ELSE
    RAISE EXCEPTION 'the ledger of another tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- The short way for one posted transfer between accounts that exist: three plain statements. Answers 'booked', or null
-- after having changed nothing: then book_transfers has to look (new account, overdraft, repeated key).
CREATE FUNCTION book_transfer(
  p_tenant uuid, p_booked_at timestamptz, p_key text, p_debit uuid, p_debit_striped boolean, p_credit uuid,
    p_credit_striped boolean, p_amount bigint, p_currency text
)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_stripe smallint := 1 + pg_backend_pid() % 64;
  v_first uuid := p_debit;
  v_second uuid := p_credit;
  v_first_stripe smallint := CASE WHEN p_debit_striped THEN v_stripe ELSE 0 END;
  v_second_stripe smallint := CASE WHEN p_credit_striped THEN v_stripe ELSE 0 END;
  v_debit bigint := p_amount;
  v_credit bigint := 0;
BEGIN
  IF current_setting('app.tenant', true) IS DISTINCT FROM p_tenant::text THEN
    PERFORM ledger_of(p_tenant);
  END IF;
  -- In id order, as everywhere: two bookings never wait for each other in a circle.
  IF p_debit >= p_credit THEN
    IF p_debit = p_credit THEN
      RETURN NULL;
    END IF;
    v_first := p_credit;
    v_second := p_debit;
    v_first_stripe := CASE WHEN p_credit_striped THEN v_stripe ELSE 0 END;
    v_second_stripe := CASE WHEN p_debit_striped THEN v_stripe ELSE 0 END;
    v_debit := 0;
    v_credit := p_amount;
  END IF;
  UPDATE ledger_balance SET posted_debit_amount = posted_debit_amount + v_debit,
    posted_credit_amount = posted_credit_amount + v_credit, available_amount = available_amount + v_credit - v_debit
  WHERE tenant_id = p_tenant AND account_id = v_first AND stripe = v_first_stripe AND currency_code = p_currency
    AND (available_amount IS NULL OR available_amount >= v_debit);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE ledger_balance SET posted_debit_amount = posted_debit_amount + v_credit,
    posted_credit_amount = posted_credit_amount + v_debit, available_amount = available_amount + v_debit - v_credit
  WHERE tenant_id = p_tenant AND account_id = v_second AND stripe = v_second_stripe AND currency_code = p_currency
    AND (available_amount IS NULL OR available_amount >= v_credit);
  IF FOUND THEN
    INSERT INTO ledger_transfer (tenant_id, operation_key, leg, kind, debit_account_id, credit_account_id,
      currency_code, amount, booked_at)
    VALUES (p_tenant, p_key, 0, 'posted', p_debit, p_credit, p_currency, p_amount,
      coalesce(p_booked_at, tenant_now(p_tenant)))
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN 'booked';
    END IF;
    UPDATE ledger_balance SET posted_debit_amount = posted_debit_amount - v_credit,
      posted_credit_amount = posted_credit_amount - v_debit, available_amount = available_amount - v_debit + v_credit
    WHERE tenant_id = p_tenant AND account_id = v_second AND stripe = v_second_stripe;
  END IF;
  UPDATE ledger_balance SET posted_debit_amount = posted_debit_amount - v_debit,
    posted_credit_amount = posted_credit_amount - v_credit, available_amount = available_amount - v_credit + v_debit
  WHERE tenant_id = p_tenant AND account_id = v_first AND stripe = v_first_stripe;
  RETURN NULL;
END $$;

${LEDGER_BATCH_SQL}`;
