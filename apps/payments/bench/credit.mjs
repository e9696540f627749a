// Rows of `npm run bench`: credit that arrives pays 1,000 open invoices of one customer in one transaction, through the
// service;
// beside it the ledger booking the same postings in one call. Run it alone with `npm run bench -- credit`.
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { copyTenant, withService } from './with-service.mjs';
import { walletAdjusted, walletToReceivable } from '../dist/domain/ledger/postings.js';
import { bookAll } from '../dist/ledger/book-transfers.js';
import { OpenIntents } from '../dist/intents/open-intents.js';

const INVOICES = 1000;
const CENTS = 1000;
const MIB = 1024 * 1024;

// Memory is compared after what is not used any more was collected, however the process was started.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

export const run = () => withService({}, measure);

async function measure(service) {
  const { database, tokens } = service.kit;
  const tenantId = randomUUID();
  const principal = { tenantId, kind: 'api_key', subjectId: randomUUID(), permissions: ['*'], scopes: [] };
  const headers = { 'x-kontor-principal': tokens.sign(principal), 'content-type': 'application/json' };
  const memory = [];
  let numbers = 0;

  const credit = async () => {
    const customerId = randomUUID();
    await copyTenant(service.kit, tenantId, [customerId]);
    await openInvoices(service, tenantId, customerId, () => `RE-${++numbers}`);
    const body = JSON.stringify({
      customerId,
      amount: (INVOICES * CENTS) / 100,
      currencyCode: 'EUR',
      description: 'bench',
    });
    const rate = await rateOf(INVOICES, async () => {
      const answer = await fetch(`${service.url}/api/wallet/adjustments`, { method: 'POST', headers, body });
      if (answer.status !== 201) throw new Error(await answer.text());
    });
    const [row] = await database.tenant(tenantId, (tx) =>
      tx.query(
        `SELECT count(*)::int AS paid FROM payment_intent WHERE tenant_id = $1 AND customer_id = $2 AND status = 'succeeded'`,
        [tenantId, customerId],
      ),
    );
    if (row.paid !== INVOICES) throw new Error(`${row.paid} of ${INVOICES} invoices are paid`);
    collectGarbage();
    memory.push(process.memoryUsage().rss / MIB);
    return rate;
  };
  const ledger = () => {
    const posting = { customerId: randomUUID(), currencyCode: 'EUR', amountMinor: BigInt(CENTS) };
    const operations = [
      walletAdjusted({ ...posting, id: randomUUID(), amountMinor: BigInt(CENTS * INVOICES) }),
      ...Array.from({ length: INVOICES }, () => walletToReceivable({ ...posting, id: randomUUID() })),
    ];
    return rateOf(INVOICES, () => database.tenant(tenantId, (tx) => bookAll(tx, tenantId, tx.now, operations)));
  };
  for (let i = 0; i < 3; i++) {
    await credit();
    await ledger();
  }
  memory.length = 0;
  const rates = await interleaved({ credit, ledger });
  return [
    {
      name: `automatic credit over ${INVOICES.toLocaleString('en')} invoices, one transaction`,
      measured: rates.credit,
      limit: rates.ledger,
      goal: 0.4,
      unit: 'invoices/s',
    },
    {
      name: 'automatic credit, memory after the last by after the first',
      measured: [memory.at(-1) / memory[0]],
      goal: 1.25,
      unit: '×',
      lowerIsBetter: true,
    },
  ];
}

async function openInvoices(service, tenantId, customerId, nextNumber) {
  const now = new Date();
  const amount = (minor) => ({ amount: minor, currencyCode: 'EUR' });
  for (let at = 0; at < INVOICES; at += 500) {
    const events = Array.from({ length: 500 }, () => ({
      payload: {
        invoiceId: randomUUID(),
        type: 'TYPE_INVOICE',
        number: nextNumber(),
        customerId,
        grossAmount: amount(CENTS),
        taxAmount: amount(0),
        finalizedAt: now.toISOString(),
        dueAt: now.toISOString(),
        paymentMethodId: null,
        referencedInvoiceId: null,
      },
    }));
    await service.kit.database.tenant(tenantId, (tx) => service.get(OpenIntents).execute(tx, events), { now });
  }
}
