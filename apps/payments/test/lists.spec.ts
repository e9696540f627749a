import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { statementsOf } from '@kontor/testing';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
const [customer, method, intent, account, invoice] = [newUuid(), newUuid(), newUuid(), newUuid(), newUuid()];

/** 20,000 rows of this tenant among as many of others, so that a plan without its index would show. */
beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  const tenantOf = `CASE WHEN n % 2 = 0 THEN '${tenant.id}'::uuid ELSE '${newUuid()}'::uuid END`;
  const someOf = (id: string): string => `CASE WHEN n % 1000 = 0 THEN '${id}'::uuid ELSE gen_random_uuid() END`;
  await world.test.peek(
    `INSERT INTO payment_transaction
       (tenant_id, id, customer_id, type, status, currency_code, amount_minor,
        payment_method_id, payment_date, intent_id, created_at)
     SELECT ${tenantOf}, uuidv7(), ${someOf(customer)},
       CASE WHEN n % 500 = 0 THEN 'return' ELSE 'payment' END,
       CASE WHEN n % 300 = 0 THEN 'failed' ELSE 'succeeded' END, 'EUR', 100,
       ${someOf(method)}, now() - make_interval(mins => n), ${someOf(intent)}, now()
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO payment_method
       (tenant_id, id, customer_id, gateway_name, is_default, status,
        source, enabled, future_usage_allowed, creation_date, version)
     SELECT ${tenantOf}, uuidv7(), ${someOf(customer)}, 'testing', false,
       CASE WHEN n % 500 = 0 THEN 'expired' ELSE 'active' END,
       'api', true, true, now(), 1
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO wallet_transaction
       (tenant_id, id, wallet_id, customer_id, currency_code, type, amount_minor, balance_after_minor, sequence,
        origin, uses, created_at)
     SELECT ${tenantOf}, uuidv7(), gen_random_uuid(), ${someOf(customer)}, 'EUR', 'adjustment', 1, 1, n,
       '{"gatewayName":null,"paymentMethodId":null,"reference":null}', '[]', now()
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO sepa_file
       (tenant_id, id, kind, format, message_id, file_name,
        order_count, sum_minor, batches, blob_key, created_at)
     SELECT ${tenantOf}, uuidv7(), CASE WHEN n % 500 = 0 THEN 'transfer' ELSE 'debit' END, 'pain', 'M' || n, 'f',
       1, 1, '[]', '', now() - make_interval(mins => n)
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO bank_transaction
       (tenant_id, id, bank_account_id, entry_id, import_id,
        status,
        is_return, amount_minor, unassigned_minor, currency_code,
        booking_date, value_date, reference, end_to_end_id, counterparty_iban,
        charges_minor, batch_ids, suggestions, by_hand, version, created_at)
     SELECT ${tenantOf}, uuidv7(), ${someOf(account)}, uuidv7(), uuidv7(),
       CASE WHEN n % 300 = 0 THEN 'STATUS_IGNORED' WHEN n % 200 = 0 THEN 'STATUS_BOOKED' ELSE 'STATUS_RECEIVED' END,
       n % 500 = 0, 1, CASE WHEN n % 200 = 0 AND n % 300 <> 0 THEN 0 ELSE 1 END, 'EUR',
       now() - make_interval(mins => n), now(), 'R' || n, 'E' || n, 'I' || n,
       0, '[]', '[]', false, 1, now()
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO payment_intent
       (tenant_id, id, invoice_id, customer_id, document_number, document_type, currency_code, amount_minor, open_minor, pending_minor,
        credit_applied_minor, status, due_at, attempts, version, created_at)
     SELECT ${tenantOf}, uuidv7(), CASE WHEN n = 1000 THEN '${invoice}'::uuid ELSE gen_random_uuid() END, ${someOf(customer)}, 'RE-' || n,
       'TYPE_INVOICE', 'EUR', 100, 100, 0, 0, 'open', now(), 0, 1, now()
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO top_up
       (tenant_id, id, customer_id, currency_code, requested_minor, status, reference, version, created_at)
     SELECT ${tenantOf}, uuidv7(), ${someOf(customer)}, 'EUR', 1, 'failed', 'TU', 1, now() - make_interval(mins => n)
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO auto_top_up_rule
       (tenant_id, id, customer_id,
        currency_code, threshold_minor, top_up_minor, enabled, consecutive_failures, version, created_at, updated_at)
     SELECT ${tenantOf}, uuidv7(), CASE WHEN n = 1000 THEN '${customer}'::uuid ELSE gen_random_uuid() END,
       'EUR', 1, 1, true, 0, 1, now() - make_interval(mins => n), now()
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO ledger_account
       (tenant_id, id, code,
        customer_id, currency_code, side, guarded, striped)
     SELECT ${tenantOf}, uuidv7(), CASE n % 3 WHEN 0 THEN 'wallet' ELSE 'receivable' END,
       CASE WHEN n = 1000 THEN '${customer}'::uuid ELSE gen_random_uuid() END, 'EUR', 'debit', false, false
     FROM generate_series(1, 40000) AS n`,
  );
  await world.test.peek(
    `INSERT INTO ledger_transfer
       (tenant_id, operation_key, leg, kind, debit_account_id, credit_account_id, currency_code, amount, booked_at)
     SELECT ${tenantOf}, 'payment:' || n, 0, 'posted', uuidv7(), uuidv7(), 'EUR', 1, now() - make_interval(mins => n)
     FROM generate_series(1, 40000) AS n`,
  );
  for (const table of [
    'payment_intent',
    'top_up',
    'auto_top_up_rule',
    'ledger_account',
    'ledger_transfer',
    'bank_transaction',
    'sepa_file',
    'payment_transaction',
    'payment_method',
    'wallet_transaction',
  ])
    await world.test.peek(`ANALYZE ${table}`);
});
afterAll(() => world.stop());

/** The plan that the app role gets for the page of a list, under row-level security. */
async function planOf(path: string, table: string): Promise<string> {
  const seen = await statementsOf(async () => void expect((await tenant.call('GET', path)).status).toBe(200));
  const statement = seen.find(({ text }) => text.includes(`FROM ${table}`) && text.includes('OFFSET'));
  const rows = await tenant.rows<Record<string, string>>(`EXPLAIN ${statement?.text}`, statement?.params);
  return rows.map((row) => Object.values(row)[0]).join('\n');
}

describe('lists under row-level security', () => {
  it.each([
    ['/payment/transactions?customer=C', 'payment_transaction', 'payment_transaction_customer'],
    ['/payment/transactions?intent=I', 'payment_transaction', 'payment_transaction_intent'],
    ['/payment/transactions?paymentMethod=M', 'payment_transaction', 'payment_transaction_method'],
    ['/payment/transactions?status=failed', 'payment_transaction', 'payment_transaction_status'],
    ['/payment/transactions?type=return', 'payment_transaction', 'payment_transaction_type'],
    ['/payment/transactions?order[paymentDate]=desc', 'payment_transaction', 'payment_transaction_date'],
    ['/payment/transactions', 'payment_transaction', 'payment_transaction_pkey'],
    ['/payment/intents', 'payment_intent', 'payment_intent_pkey'],
    ['/payment/intents?customer=C', 'payment_intent', 'payment_intent_customer'],
    ['/payment/intents?invoice=V', 'payment_intent', 'payment_intent_invoice'],
    ['/payment-methods?customer=C', 'payment_method', 'payment_method_customer'],
    ['/payment-methods?status=expired', 'payment_method', 'payment_method_status'],
    ['/payment-methods', 'payment_method', 'payment_method_date'],
    ['/sepa-xml-payments', 'sepa_file', 'sepa_file_date'],
    ['/sepa-xml-payments?type=credit_transfer', 'sepa_file', 'sepa_file_kind'],
    ['/api/wallet/transactions?customerId=C', 'wallet_transaction', 'wallet_transaction_customer'],
    ['/api/wallet/transactions', 'wallet_transaction', 'wallet_transaction_date'],
    ['/api/wallet/top-ups', 'top_up', 'top_up_date'],
    ['/api/wallet/top-ups?customerId=C', 'top_up', 'top_up_customer'],
    ['/api/wallet/auto-top-up', 'auto_top_up_rule', 'auto_top_up_rule_date'],
    ['/api/wallet/auto-top-up?customerId=C', 'auto_top_up_rule', 'auto_top_up_rule_wallet'],
    ['/ledger/accounts', 'ledger_account', 'ledger_account_code'],
    ['/ledger/accounts?customer=C', 'ledger_account', 'ledger_account_customer'],
    ['/ledger/transfers', 'ledger_transfer', 'ledger_transfer_date'],
    ['/ledger/transfers?operation=payment:1', 'ledger_transfer', 'ledger_transfer_pkey'],
    ['/payment/bank-account-transactions', 'bank_transaction', 'bank_transaction_pkey'],
    ['/payment/bank-account-transactions?status=STATUS_IGNORED', 'bank_transaction', 'bank_transaction_status'],
    ['/payment/bank-account-transactions?status=STATUS_BOOKED', 'bank_transaction', 'bank_transaction_booked'],
    ['/payment/bank-account-transactions?bankAccountId=A', 'bank_transaction', 'bank_transaction_account'],
    ['/payment/bank-account-transactions?counterpartyIban=I', 'bank_transaction', 'bank_transaction_counterparty'],
    ['/payment/bank-account-transactions?endToEndId=E', 'bank_transaction', 'bank_transaction_end_to_end'],
    ['/payment/bank-account-transactions?isReturn=true', 'bank_transaction', 'bank_transaction_returns'],
    ['/payment/bank-account-transactions?order[bookingDate]=desc', 'bank_transaction', 'bank_transaction_date'],
  ])('%s is found by an index', async (path, table, index) => {
    const plan = await planOf(
      path
        .replace('=C', `=${customer}`)
        .replace('=I', `=${intent}`)
        .replace('=V', `=${invoice}`)
        .replace('=M', `=${method}`)
        .replace('=A', `=${account}`),
      table,
    );
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('bank lines', () => {
  it('are found by parts of words, by amount in the units of their currency, and by day', async () => {
    const other = await world.tenant();
    const line = (name: string, remittance: string, minor: number, currency: string, day: string): string =>
      `('${other.id}', uuidv7(), '${account}', uuidv7(), uuidv7(), 'STATUS_RECEIVED', false, ${minor}, ${minor}, '${currency}',
        '${day}', '${day}', 'R', '${name}', '${remittance}', 0, '[]', '[]', false, 1, now())`;
    await world.test.peek(
      `INSERT INTO bank_transaction
         (tenant_id, id, bank_account_id, entry_id, import_id, status, is_return, amount_minor, unassigned_minor, currency_code,
          booking_date, value_date, reference, counterparty_name, remittance_information, charges_minor, batch_ids, suggestions,
          by_hand, version, created_at)
       VALUES ${line('Backhaus Elbe GmbH', 'RE-2026-00017 Danke', 11900, 'EUR', '2026-03-01')},
         ${line('Tidewater 100% Ltd', 'Invoice 18', -11900, 'EUR', '2026-03-02')},
         ${line('Sakura KK', 'Invoice 19', 119, 'JPY', '2026-03-03')}`,
    );
    const found = async (query: string): Promise<string[]> => {
      const { status, body } = await other.call('GET', `/payment/bank-account-transactions?${query}`);
      expect(status).toBe(200);
      expect(body.meta.pagination.totalItems).toBe(body.data.length);
      return body.data
        .map(({ counterpartyName }: { counterpartyName: string }) => counterpartyName.split(' ')[0]!)
        .sort();
    };
    expect(await found('search=2026-00017')).toEqual(['Backhaus']);
    expect(await found('search=INVOICE')).toEqual(['Sakura', 'Tidewater']);
    expect(await found('search=0%25')).toEqual(['Tidewater']);
    expect(await found('amount=119.00')).toEqual(['Backhaus', 'Sakura']);
    expect(await found('amount[]=119&amount[]=-119')).toEqual(['Backhaus', 'Sakura', 'Tidewater']);
    expect(await found('minAmount=100&currencyCode=EUR')).toEqual(['Backhaus']);
    expect(await found('maxAmount=0')).toEqual(['Tidewater']);
    expect(await found('minAmount=-200&maxAmount=118.99&search=invoice')).toEqual(['Tidewater']);
    expect(await found('bookingDate[after]=2026-03-02&valueDate[before]=2026-03-03')).toEqual(['Tidewater']);
    for (const query of ['amount=1e3', 'amount=', 'minAmount=a', 'maxAmount=1.23456', 'bankAccount=1'])
      expect((await other.call('GET', `/payment/bank-account-transactions?${query}`)).status).toBe(400);
  });
});

/** Each exists with and without the prefix. */
const bankOperations = ['', '/api'].flatMap((prefix) => {
  const lines = `${prefix}/payment/bank-account-transactions`;
  return [
    ...[`${prefix}/bank-accounts`, lines, `${lines}/{id}`].map((path) => [
      `get ${path}`,
      'bank-account-transaction:read',
      false,
    ]),
    ...[
      `post ${prefix}/bank-accounts`,
      `post ${lines}/import`,
      `post ${lines}/{id}/assign-with-disposition`,
      `put ${lines}/{id}/assign`,
      `put ${lines}/accept-suggestions`,
      `put ${lines}/ignore`,
      `delete ${lines}/{id}/assignments/{assignmentId}`,
    ].map((path) => [path, 'bank-account-transaction:write', false]),
  ];
});

describe('the part of the OpenAPI document', () => {
  it('describes every public operation with its permission', async () => {
    const document = await (await fetch(`${world.service.url}/internal/openapi`)).json();
    const operations = Object.entries(
      document.paths as Record<string, Record<string, Record<string, unknown>>>,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(([verb, operation]) => [
        `${verb} ${path}`,
        operation['x-permission'],
        operation['x-customer-tokens'] ?? false,
      ]),
    );
    expect(operations.sort()).toEqual(
      [
        ...bankOperations,
        ['delete /payment-methods/{id}', 'payment-method:write', false],
        ['delete /api/wallet/auto-top-up/{id}', 'wallet:write', true],
        ...['', '/return', '/test-provider'].map((page) => [`get /public/payments/{token}${page}`, null, false]),
        ...['', '/methods', '/test-provider'].map((page) => [`post /public/payments/{token}${page}`, null, false]),
        ['get /api/wallet/auto-top-up', 'wallet:read', true],
        ['get /api/wallet/balances', 'wallet:read', true],
        ['get /api/wallet/top-ups', 'wallet:read', true],
        ['get /api/wallet/top-ups/{id}', 'wallet:read', true],
        ['get /ledger/accounts', 'transaction:read', false],
        ['get /ledger/datev', 'transaction:read', false],
        ['get /ledger/datev/settings', 'settings:read', false],
        ['get /ledger/transfers', 'transaction:read', false],
        ['get /ledger/transfers/export', 'transaction:read', false],
        ['post /api/wallet/auto-top-up', 'wallet:write', true],
        ['post /api/wallet/top-up', 'wallet:write', true],
        ['post /api/wallet/top-ups/{id}/confirm', 'wallet:write', false],
        ['put /api/wallet/auto-top-up/{id}', 'wallet:write', true],
        ['put /ledger/datev/settings', 'settings:write', false],
        ['get /api/wallet/transactions', 'wallet:read', true],
        ['get /payment-methods', 'payment-method:read', true],
        ['get /payment-methods/{id}', 'payment-method:read', true],
        ['get /payment/intents', 'transaction:read', false],
        ['get /payment/intents/{id}', 'transaction:read', false],
        ['get /payment/transactions', 'transaction:read', false],
        ['get /payment/transactions/{id}', 'transaction:read', false],
        ['get /public/payment-methods/returns/{token}', null, false],
        ['get /public/payment-methods/{token}', null, false],
        ['get /sepa-xml-payments', 'transaction:read', false],
        ['get /sepa-xml-payments/{id}', 'transaction:read', false],
        ['post /api/wallet/adjustments', 'wallet:write', false],
        ['post /payment-methods', 'payment-method:add', false],
        ['post /payment-methods/link', 'payment-method:add', false],
        ['post /payment/transactions/{id}/return', 'transaction:write', false],
        ['post /public/payment-methods/{token}', null, false],
        ['post /public/payment/callbacks/{gateway}', null, false],
        ['post /sepa-xml-payments/export', 'transaction:write', false],
        ['post /sepa-xml-payments/{id}/reject', 'transaction:write', false],
      ].sort(),
    );
  });
});
