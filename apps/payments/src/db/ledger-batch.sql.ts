/** The functions by which many operations are booked at once; a part of the ledger. */
export const LEDGER_BATCH_SQL = `-- Which operations of a batch would overdraw a guarded account, weighed one by one in the order given. The balances are
-- locked by the caller; operations that were booked before weigh nothing.
CREATE FUNCTION ledger_overdrafts(
  p_tenant uuid, p_keys text[], p_kinds text[], p_debits uuid[], p_credits uuid[], p_amounts bigint[],
    p_accounts uuid[], p_guarded boolean[]
) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_refused text[] := '{}';
  v_guarded uuid[];
  v_available bigint[];
  v_at integer;
  v_fits boolean;
  v_op record;
BEGIN
  SELECT array_agg(b.account_id), array_agg(b.available_amount::bigint) INTO v_guarded, v_available
  FROM ledger_balance b
  WHERE b.tenant_id = p_tenant AND b.stripe = 0 AND b.account_id = ANY (SELECT a.id
    FROM unnest(p_accounts, p_guarded) AS a (id, guarded) WHERE a.guarded);
  FOR v_op IN
    SELECT d.key, array_agg(d.account) AS accounts, array_agg(d.delta) AS deltas
    FROM (
      SELECT t.key, min(t.ord) AS ord, s.account, sum(s.delta)::bigint AS delta
      FROM unnest(p_keys, p_kinds, p_debits, p_credits, p_amounts) WITH ORDINALITY AS t (key, kind, debit, credit,
        amount, ord)
      CROSS JOIN LATERAL (VALUES
        (t.debit, CASE t.kind WHEN 'void' THEN t.amount WHEN 'post' THEN 0 ELSE -t.amount END),
        (t.credit, CASE WHEN t.kind IN ('posted', 'post') THEN t.amount ELSE 0 END)
      ) AS s (account, delta)
      JOIN unnest(v_guarded) AS g (id) ON g.id = s.account
      WHERE NOT EXISTS (SELECT 1 FROM ledger_transfer l WHERE l.tenant_id = p_tenant AND l.operation_key = t.key)
      GROUP BY t.key, s.account
    ) d
    GROUP BY d.key ORDER BY min(d.ord)
  LOOP
    v_fits := true;
    FOR i IN 1 .. cardinality(v_op.accounts) LOOP
      IF v_op.deltas[i] < 0 AND v_available[array_position(v_guarded, v_op.accounts[i])] + v_op.deltas[i] < 0 THEN
        v_fits := false;
      END IF;
    END LOOP;
    IF v_fits THEN
      FOR i IN 1 .. cardinality(v_op.accounts) LOOP
        v_at := array_position(v_guarded, v_op.accounts[i]);
        v_available[v_at] := v_available[v_at] + v_op.deltas[i];
      END LOOP;
    ELSE
      v_refused := v_refused || v_op.key;
    END IF;
  END LOOP;
  RETURN v_refused;
END $$;

-- Books a batch of operations: arrays of transfers (an operation is all transfers with its key) and of the accounts in
-- them; p_outgoing is what the batch takes from each account at most. Answers only the operations that were not booked
-- now: 'repeated' (their key was booked before) and 'overdraft' (a guarded account would have been overdrawn; the rest
-- of the batch is booked all the same). Every look-up is lateral, so it can only go by the primary key: arrays have no
-- statistics, and a plan that reads all balances of a tenant instead would get slower with every customer.
CREATE FUNCTION book_transfers(
  p_tenant uuid, p_booked_at timestamptz,
  p_keys text[], p_legs smallint[], p_kinds text[], p_resolves text[], p_debits uuid[], p_credits uuid[],
    p_amounts bigint[], p_transfer_currencies text[],
  p_accounts uuid[], p_outgoing bigint[], p_codes text[], p_customers uuid[], p_currencies text[], p_sides text[],
    p_guarded boolean[], p_striped boolean[]
) RETURNS TABLE (operation_key text, outcome text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off
  SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  v_stripe smallint := 1 + pg_backend_pid() % 64;
  v_inserted integer;
  v_booked text[];
  v_balanced boolean;
  v_tight boolean;
  v_booked_at timestamptz := coalesce(p_booked_at, tenant_now(p_tenant));
  v_refused text[] := '{}';
BEGIN
  IF current_setting('app.tenant', true) IS DISTINCT FROM p_tenant::text THEN
    PERFORM ledger_of(p_tenant);
  END IF;
  IF EXISTS (
    SELECT 1 FROM unnest(p_debits, p_credits, p_kinds, p_resolves) AS t (debit, credit, kind, resolves)
    WHERE t.debit = t.credit OR (t.kind IN ('post', 'void')) <> (t.resolves IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'a transfer has two accounts, and only post and void resolve' USING ERRCODE = 'check_violation';
  END IF;

  -- 1. Accounts that are seen for the first time. Before any lock, and in id order: whoever waits here holds no
  -- balance.
  IF EXISTS (
    SELECT 1 FROM unnest(p_accounts) AS a (id)
    WHERE (SELECT b.stripe FROM ledger_balance b
      WHERE b.tenant_id = p_tenant AND b.account_id = a.id AND b.stripe IN (0, v_stripe) LIMIT 1) IS NULL
  ) THEN
    INSERT INTO ledger_account (tenant_id, id, code, customer_id, currency_code, side, guarded, striped)
    SELECT p_tenant, a.id, a.code, a.customer, a.currency, a.side, a.guarded, a.striped
    FROM unnest(p_accounts, p_codes, p_customers, p_currencies, p_sides, p_guarded, p_striped) AS a (id, code, customer,
      currency, side, guarded, striped)
    ORDER BY a.id ON CONFLICT DO NOTHING;
    INSERT INTO ledger_balance (tenant_id, account_id, stripe, currency_code, available_amount)
    SELECT p_tenant, a.id, CASE WHEN a.striped THEN v_stripe ELSE 0 END, a.currency, CASE WHEN a.guarded THEN 0 END
    FROM unnest(p_accounts, p_striped, p_currencies, p_guarded) AS a (id, striped, currency, guarded)
    ORDER BY a.id ON CONFLICT DO NOTHING;
  END IF;

  -- 2. The lock, in id order, so that two batches never wait for each other in a circle. Only when a guarded account
  -- could run dry are operations weighed one by one.
  SELECT coalesce(bool_or(l.available_amount < a.outgoing), false) INTO v_tight
  FROM (SELECT u.id, u.outgoing FROM unnest(p_accounts, p_outgoing) AS u (id, outgoing) ORDER BY u.id) a
  CROSS JOIN LATERAL (
    SELECT b.available_amount FROM ledger_balance b
      WHERE b.tenant_id = p_tenant AND b.account_id = a.id AND b.stripe IN (0, v_stripe) FOR UPDATE
  ) l;
  IF v_tight THEN
    v_refused := ledger_overdrafts(p_tenant, p_keys, p_kinds, p_debits, p_credits, p_amounts, p_accounts, p_guarded);
  END IF;

  -- 3. What resolves a reservation must be exactly that reservation.
  IF cardinality(array_remove(p_resolves, NULL)) > 0 AND EXISTS (
    SELECT 1 FROM unnest(p_legs, p_resolves, p_debits, p_credits, p_amounts) AS t (leg, resolves, debit, credit, amount)
    WHERE t.resolves IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM ledger_transfer p WHERE p.tenant_id = p_tenant AND p.operation_key = t.resolves AND p.leg = t.leg
        AND p.kind = 'pending'
        AND p.debit_account_id = t.debit AND p.credit_account_id = t.credit AND p.amount = t.amount)
  ) THEN
    RAISE EXCEPTION 'a transfer resolves nothing that is pending' USING ERRCODE = 'check_violation';
  END IF;

  -- 4. The transfers, one net update per account, and the proof that both sides are equal in every currency.
  WITH inserted AS (
    INSERT INTO ledger_transfer (tenant_id, operation_key, leg, kind, resolves_key, debit_account_id, credit_account_id,
      currency_code, amount, booked_at)
    SELECT p_tenant, t.key, t.leg, t.kind, t.resolves, t.debit, t.credit, t.currency, t.amount, v_booked_at
    FROM unnest(p_keys, p_legs, p_kinds, p_resolves, p_debits, p_credits, p_transfer_currencies, p_amounts) AS t (key,
      leg, kind, resolves, debit, credit, currency, amount)
    WHERE t.key <> ALL (v_refused)
    ORDER BY t.key, t.leg
    ON CONFLICT DO NOTHING
    RETURNING operation_key, kind, debit_account_id, credit_account_id, amount
  ), net AS (
    SELECT e.account, sum(e.posted_debit)::bigint AS posted_debit, sum(e.posted_credit)::bigint AS posted_credit,
           sum(e.pending_debit)::bigint AS pending_debit, sum(e.pending_credit)::bigint AS pending_credit
    FROM inserted i
    CROSS JOIN LATERAL (VALUES
      (i.debit_account_id, CASE WHEN i.kind IN ('posted', 'post') THEN i.amount ELSE 0 END, 0::bigint,
       CASE i.kind WHEN 'pending' THEN i.amount WHEN 'posted' THEN 0 ELSE -i.amount END, 0::bigint),
      (i.credit_account_id, 0::bigint, CASE WHEN i.kind IN ('posted', 'post') THEN i.amount ELSE 0 END,
       0::bigint, CASE i.kind WHEN 'pending' THEN i.amount WHEN 'posted' THEN 0 ELSE -i.amount END)
    ) AS e (account, posted_debit, posted_credit, pending_debit, pending_credit)
    GROUP BY e.account
  ), updated AS (
    UPDATE ledger_balance b
    SET posted_debit_amount = b.posted_debit_amount + n.posted_debit,
      posted_credit_amount = b.posted_credit_amount + n.posted_credit,
        pending_debit_amount = b.pending_debit_amount + n.pending_debit,
          pending_credit_amount = b.pending_credit_amount + n.pending_credit,
        available_amount = b.available_amount + n.posted_credit - n.posted_debit - n.pending_debit
    FROM net n
    CROSS JOIN LATERAL (
      SELECT x.ctid AS place FROM ledger_balance x
        WHERE x.tenant_id = p_tenant AND x.account_id = n.account AND x.stripe IN (0, v_stripe) OFFSET 0
    ) l
    WHERE b.ctid = l.place
    RETURNING b.currency_code, n.posted_debit - n.posted_credit AS posted, n.pending_debit - n.pending_credit AS pending
  )
  SELECT (SELECT count(*) FROM inserted), (SELECT coalesce(array_agg(i.operation_key), '{}') FROM inserted i),
         NOT EXISTS (SELECT 1 FROM updated u GROUP BY u.currency_code HAVING sum(u.posted) <> 0 OR sum(u.pending) <> 0)
  INTO v_inserted, v_booked, v_balanced;

  IF NOT v_balanced THEN
    RAISE EXCEPTION 'debits and credits differ' USING ERRCODE = 'check_violation';
  END IF;
  IF v_inserted = cardinality(p_keys) THEN
    RETURN;
  END IF;

  -- 5. Something was not booked: say what, and refuse a key that stands for something else.
  IF EXISTS (
    SELECT 1 FROM unnest(p_keys, p_legs, p_kinds, p_debits, p_credits, p_amounts) AS t (key, leg, kind, debit, credit,
      amount)
    WHERE t.key <> ALL (v_refused) AND NOT EXISTS (
      SELECT 1 FROM ledger_transfer l WHERE l.tenant_id = p_tenant AND l.operation_key = t.key AND l.leg = t.leg
        AND l.kind = t.kind AND l.debit_account_id = t.debit AND l.credit_account_id = t.credit AND l.amount = t.amount)
  ) THEN
    RAISE EXCEPTION 'an operation key was used for something else, or a reservation is resolved already'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN QUERY
  SELECT r.key, 'overdraft' FROM unnest(v_refused) AS r (key)
  UNION
  SELECT t.key, 'repeated' FROM unnest(p_keys) AS t (key) WHERE t.key <> ALL (v_refused) AND t.key <> ALL (v_booked);
END $$;
`;
