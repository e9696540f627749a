import type { Invariant } from '@kontor/service-kit';

/** What the service promises about a tenant's money. */
export const INVARIANTS: readonly Invariant[] = [
  {
    rule: 'debits equal credits in every currency',
    sql: `SELECT currency_code || ': posted ' || sum(posted_debit_amount) || ' / ' || sum(posted_credit_amount)
      || ', pending ' || sum(pending_debit_amount) || ' / ' || sum(pending_credit_amount) AS what
          FROM ledger_balance WHERE tenant_id = $1 GROUP BY currency_code
          HAVING sum(posted_debit_amount) <> sum(posted_credit_amount)
            OR sum(pending_debit_amount) <> sum(pending_credit_amount)`,
  },
  {
    rule: 'a balance is the sum of its entries',
    sql: `WITH entries AS (
            SELECT debit_account_id AS account, kind, amount AS debit, 0 AS credit FROM ledger_transfer
              WHERE tenant_id = $1
            UNION ALL SELECT credit_account_id, kind, 0, amount FROM ledger_transfer WHERE tenant_id = $1
          ), summed AS (
            SELECT account,
              sum(debit) FILTER (WHERE kind IN ('posted', 'post')) AS pd,
                sum(credit) FILTER (WHERE kind IN ('posted', 'post')) AS pc,
              coalesce(sum(debit) FILTER (WHERE kind = 'pending'), 0)
                - coalesce(sum(debit) FILTER (WHERE kind IN ('post', 'void')), 0) AS wd,
              coalesce(sum(credit) FILTER (WHERE kind = 'pending'), 0)
                - coalesce(sum(credit) FILTER (WHERE kind IN ('post', 'void')), 0) AS wc
            FROM entries GROUP BY account
          ), kept AS (
            SELECT account_id AS account, sum(posted_debit_amount) AS pd, sum(posted_credit_amount) AS pc,
              sum(pending_debit_amount) AS wd, sum(pending_credit_amount) AS wc
            FROM ledger_balance WHERE tenant_id = $1 GROUP BY account_id
          )
          SELECT coalesce(k.account, s.account)::text AS what FROM kept k FULL JOIN summed s USING (account)
          WHERE (coalesce(k.pd, 0), coalesce(k.pc, 0), coalesce(k.wd, 0), coalesce(k.wc, 0))
            IS DISTINCT FROM (coalesce(s.pd, 0), coalesce(s.pc, 0), coalesce(s.wd, 0), coalesce(s.wc, 0))`,
  },
  {
    rule: 'what a guarded account may give is its posted credits minus its posted and pending debits',
    sql: `SELECT a.id::text AS what FROM ledger_account a
      LEFT JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
          WHERE a.tenant_id = $1 AND b.available_amount IS DISTINCT FROM
            CASE WHEN a.guarded AND b.account_id IS NOT NULL THEN b.posted_credit_amount - b.posted_debit_amount
              - b.pending_debit_amount END`,
  },
  {
    rule: 'a transfer has two accounts, and only what resolves names a reservation',
    sql: `SELECT operation_key AS what FROM ledger_transfer
          WHERE tenant_id = $1 AND (debit_account_id = credit_account_id
            OR (kind IN ('post', 'void')) <> (resolves_key IS NOT NULL))`,
  },
  {
    rule: 'a transfer stays in the currency of its accounts',
    sql: `SELECT t.operation_key AS what FROM ledger_transfer t
          LEFT JOIN ledger_account d ON d.tenant_id = $1 AND d.id = t.debit_account_id
          LEFT JOIN ledger_account c ON c.tenant_id = $1 AND c.id = t.credit_account_id
          WHERE t.tenant_id = $1 AND (d.currency_code IS DISTINCT FROM t.currency_code
            OR c.currency_code IS DISTINCT FROM t.currency_code)`,
  },
  {
    rule: 'an open amount is the total minus its allocations',
    sql: `SELECT i.id::text AS what FROM payment_intent i
          LEFT JOIN (SELECT intent_id, sum(amount_minor) AS allocated FROM payment_allocation WHERE tenant_id = $1
            GROUP BY intent_id) a ON a.intent_id = i.id
          WHERE i.tenant_id = $1 AND i.open_minor <> i.amount_minor - coalesce(a.allocated, 0)`,
  },
  {
    rule: 'a receivable is the sum of the open amounts of its customer',
    sql: `WITH kept AS (
            SELECT a.customer_id, a.currency_code, sum(b.posted_debit_amount - b.posted_credit_amount) AS owed
            FROM ledger_account a JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
            WHERE a.tenant_id = $1 AND a.code = 'receivable' GROUP BY a.customer_id, a.currency_code
          ), open AS (
            SELECT customer_id, currency_code, sum(owed) AS owed FROM (
              SELECT customer_id, currency_code, open_minor AS owed FROM payment_intent
                WHERE tenant_id = $1 AND invoice_id IS NOT NULL
              -- A top-up is not owed. Only when its money went back and its credit was spent meanwhile, what was spent
              -- is.
              UNION ALL SELECT customer_id, currency_code, open_minor - amount_minor FROM payment_intent
                WHERE tenant_id = $1 AND top_up_id IS NOT NULL
              UNION ALL SELECT customer_id, currency_code, amount_minor FROM wallet_transaction
                WHERE tenant_id = $1 AND type = 'top_up'
            ) o GROUP BY customer_id, currency_code
          )
          SELECT coalesce(k.customer_id, o.customer_id) || ' ' || currency_code || ': ' || coalesce(k.owed, 0)
            || ' in the ledger, ' || coalesce(o.owed, 0) || ' open' AS what
          FROM kept k FULL JOIN open o USING (customer_id, currency_code)
            WHERE coalesce(k.owed, 0) <> coalesce(o.owed, 0)`,
  },
  {
    rule: 'what is under way is reserved',
    sql: `WITH undecided AS (
            SELECT intent_id, sum(amount_minor) AS pending,
              sum(amount_minor) FILTER (WHERE status = 'action_required') AS payer FROM payment_transaction
            WHERE tenant_id = $1 AND status IN ('pending', 'action_required') GROUP BY intent_id
          ), reserved AS (
            SELECT a.customer_id, a.currency_code, sum(b.pending_credit_amount) AS pending
            FROM ledger_account a JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
            WHERE a.tenant_id = $1 AND a.code = 'receivable' GROUP BY a.customer_id, a.currency_code
          ), asked AS (
            SELECT customer_id, currency_code, sum(pending_minor) AS pending FROM payment_intent
              WHERE tenant_id = $1 AND amount_minor > 0 GROUP BY customer_id, currency_code
          )
          SELECT i.id::text AS what FROM payment_intent i LEFT JOIN undecided u ON u.intent_id = i.id
          WHERE i.tenant_id = $1
            AND (i.pending_minor, i.payer_minor) <> (coalesce(u.pending, 0), coalesce(u.payer, 0))
          UNION ALL
          SELECT coalesce(r.customer_id, a.customer_id)::text FROM reserved r
            FULL JOIN asked a USING (customer_id, currency_code)
          WHERE coalesce(r.pending, 0) <> coalesce(a.pending, 0)`,
  },
  {
    rule: 'a wallet is its lots, its lines and its account',
    sql: `SELECT w.id || ': ' || w.balance_minor || ', lots ' || coalesce(l.rest, 0) || ', lines '
      || coalesce(t.moved, 0) || ', ledger ' || coalesce(g.credit, 0) AS what
          FROM wallet w
          LEFT JOIN (SELECT wallet_id, sum(remaining_minor) AS rest FROM wallet_lot WHERE tenant_id = $1
            GROUP BY wallet_id) l ON l.wallet_id = w.id
          LEFT JOIN (SELECT wallet_id, sum(amount_minor) AS moved, max(sequence) AS last, count(*) AS lines
            FROM wallet_transaction WHERE tenant_id = $1 GROUP BY wallet_id) t ON t.wallet_id = w.id
          LEFT JOIN (
            SELECT a.customer_id, a.currency_code, sum(b.posted_credit_amount - b.posted_debit_amount) AS credit
            FROM ledger_account a JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
            WHERE a.tenant_id = $1 AND a.code = 'wallet' GROUP BY a.customer_id, a.currency_code
          ) g ON g.customer_id = w.customer_id AND g.currency_code = w.currency_code
          WHERE w.tenant_id = $1 AND (w.balance_minor <> coalesce(l.rest, 0) OR w.balance_minor <> coalesce(t.moved, 0)
            OR w.balance_minor <> coalesce(g.credit, 0)
            OR w.sequence <> coalesce(t.last, 0) OR w.sequence <> coalesce(t.lines, 0))`,
  },
  {
    rule: 'a top-up is completed when its money is there',
    sql: `SELECT t.id::text AS what FROM top_up t LEFT JOIN payment_intent i ON i.tenant_id = $1 AND i.id = t.intent_id
          LEFT JOIN (SELECT DISTINCT intent_id FROM wallet_transaction
            WHERE tenant_id = $1 AND type = 'top_up' AND amount_minor > 0) w ON w.intent_id = t.intent_id
          WHERE t.tenant_id = $1 AND (
            (t.status = 'completed') <> (w.intent_id IS NOT NULL)
            OR (t.status = 'pending' AND i.status IS DISTINCT FROM 'open' AND i.status IS DISTINCT FROM 'processing'))`,
  },
  {
    rule: 'a payment is what its documents got, and no more goes back',
    sql: `SELECT t.id::text AS what FROM payment_transaction t
          LEFT JOIN (SELECT transaction_id, sum(amount_minor) FILTER (WHERE kind = 'payment') AS paid,
            -sum(amount_minor) FILTER (WHERE kind = 'return') AS back
            FROM payment_allocation WHERE tenant_id = $1 AND kind IN ('payment', 'return')
              GROUP BY transaction_id) a ON a.transaction_id = t.id
          LEFT JOIN (SELECT returned_transaction_id, sum(amount_minor) AS gone FROM payment_transaction
            WHERE tenant_id = $1 AND returned_transaction_id IS NOT NULL
            GROUP BY returned_transaction_id) r ON r.returned_transaction_id = t.id
          WHERE t.tenant_id = $1 AND CASE t.type
            WHEN 'payment' THEN t.status IN ('succeeded', 'returned') AND (t.amount_minor IS DISTINCT FROM a.paid
              OR (t.status = 'returned') <> (coalesce(r.gone, 0) = t.amount_minor)
              OR coalesce(r.gone, 0) > t.amount_minor)
            WHEN 'return' THEN t.amount_minor IS DISTINCT FROM a.back ELSE false END`,
  },
  {
    rule: 'a statement line has assigned what it does not have any more',
    sql: `SELECT b.id || ': ' || b.unassigned_minor || ' of ' || b.amount_minor || ', assigned '
      || coalesce(a.assigned, 0) AS what FROM bank_transaction b
          LEFT JOIN (SELECT bank_transaction_id, sum(amount_minor) AS assigned FROM bank_assignment
            WHERE tenant_id = $1 AND revoked_at IS NULL GROUP BY bank_transaction_id) a ON a.bank_transaction_id = b.id
          WHERE b.tenant_id = $1 AND b.is_return = false
            AND b.amount_minor - b.unassigned_minor <> coalesce(a.assigned, 0)`,
  },
  {
    rule: 'suspense is what no statement line has assigned',
    sql: `WITH kept AS (
            SELECT a.currency_code, sum(b.posted_credit_amount - b.posted_debit_amount) AS suspense
            FROM ledger_account a JOIN ledger_balance b ON b.tenant_id = $1 AND b.account_id = a.id
            WHERE a.tenant_id = $1 AND a.code = 'suspense' GROUP BY a.currency_code
          ), open AS (SELECT currency_code, sum(unassigned_minor) AS suspense FROM bank_transaction WHERE tenant_id = $1
            GROUP BY currency_code)
          SELECT currency_code || ': ' || coalesce(k.suspense, 0) || ' in the ledger, ' || coalesce(o.suspense, 0)
            || ' unassigned' AS what
          FROM kept k FULL JOIN open o USING (currency_code) WHERE coalesce(k.suspense, 0) <> coalesce(o.suspense, 0)`,
  },
  {
    rule: 'a settled intent has its status and its day',
    sql: `SELECT id::text AS what FROM payment_intent WHERE tenant_id = $1 AND status <> 'cancelled'
          AND (status = 'succeeded') <> (CASE WHEN amount_minor > 0 THEN open_minor <= 0 ELSE open_minor >= 0 END)`,
  },
  {
    rule: 'a SEPA file is the sum of its orders, and a settled order moved its money',
    sql: `SELECT f.id::text AS what FROM sepa_file f
          LEFT JOIN (SELECT file_id, count(*) AS orders, sum(amount_minor) AS total FROM sepa_order WHERE tenant_id = $1
            GROUP BY file_id) o ON o.file_id = f.id
          WHERE f.tenant_id = $1 AND (f.order_count <> coalesce(o.orders, 0) OR f.sum_minor <> coalesce(o.total, 0))
          UNION ALL SELECT o.id::text FROM sepa_order o
            LEFT JOIN payment_transaction t ON t.tenant_id = $1 AND t.id = o.id
          WHERE o.tenant_id = $1 AND o.status = 'settled' AND t.status IS DISTINCT FROM 'succeeded'
            AND t.status IS DISTINCT FROM 'returned'`,
  },
];
