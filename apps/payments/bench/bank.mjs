// Rows of `npm run bench`: a CAMT.053 statement of 10,000 lines against 10,000 open invoices, sent to the service,
// parsed, matched and
// booked; beside it the ledger alone booking the same postings. Run it alone with `npm run bench -- bank`.
import { randomUUID } from 'node:crypto';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { copyTenant, withService } from './with-service.mjs';
import { lineImported } from '../dist/domain/bank/bank-postings.js';
import { paymentReceived } from '../dist/domain/ledger/postings.js';
import { bookTransfers } from '../dist/index.js';
import { OpenIntents } from '../dist/intents/open-intents.js';

const LINES = Number(process.env.BENCH_LINES ?? 10_000);
const IBAN = 'DE89370400440532013000';
const MIB = 1024 * 1024;

export const run = () => withService({ DATABASE_POOL_SIZE: '8' }, measure);

async function measure(service) {
  const tenantId = randomUUID();
  const { database, tokens } = service.kit;
  const customers = Array.from({ length: 1000 }, () => randomUUID());
  await copyTenant(service.kit, tenantId, customers);
  const principal = { tenantId, kind: 'api_key', subjectId: randomUUID(), permissions: ['*'], scopes: [] };
  // Signed anew for each request: a round may outlast what was signed before.
  const headers = () => ({ 'x-kontor-principal': tokens.sign(principal) });
  const created = await fetch(`${service.url}/bank-accounts`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ iban: IBAN }),
  });
  const { id: account } = await created.json();

  const memory = [];
  let round = 0;
  /** Seconds from the first byte sent to the answer: by then everything is booked. */
  const statement = async () => {
    const name = ++round;
    await openInvoices(service, tenantId, customers, name);
    const form = new FormData();
    form.set('bankAccountId', account);
    form.set('file', new Blob([camt(name)]), 'statement.xml');
    const rate = await rateOf(LINES, async () => {
      const response = await fetch(`${service.url}/payment/bank-account-transactions/import`, {
        method: 'POST',
        headers: headers(),
        body: form,
      });
      const answer = await response.json();
      if (answer.imported !== LINES) throw new Error(JSON.stringify(answer).slice(0, 500));
    });
    const booked = await database.tenant(tenantId, (tx) =>
      tx.query(`SELECT count(*)::int AS n FROM bank_transaction WHERE tenant_id = $1 AND status = 'STATUS_BOOKED'`, [
        tenantId,
      ]),
    );
    if (booked[0].n !== LINES * name) throw new Error(`${booked[0].n} of ${LINES * name} lines are booked`);
    global.gc?.();
    memory.push(process.memoryUsage().rss / MIB);
    return rate;
  };
  const ledger = () => {
    const operations = Array.from({ length: LINES }, (_, i) => {
      const line = { id: randomUUID(), currencyCode: 'EUR', amountMinor: BigInt(1000 + i) };
      return [
        lineImported(line),
        paymentReceived({
          ...line,
          customerId: customers[i % customers.length],
          gatewayName: 'bank_transfer',
          bankTransactionId: line.id,
        }),
      ];
    });
    return rateOf(LINES, async () => {
      for (let at = 0; at < LINES; at += 500)
        await database.tenant(tenantId, (tx) =>
          bookTransfers(tx, tenantId, tx.now, operations.slice(at, at + 500).flat()),
        );
    });
  };
  await statement();
  await ledger();
  memory.length = 0;
  const rates = await interleaved({ statement, ledger });
  console.error(`  memory after each statement: ${memory.map((mib) => `${Math.round(mib)} MiB`).join(', ')}`);
  return [
    {
      name: `bank statement, ${LINES.toLocaleString('en')} lines parsed, matched, booked`,
      measured: rates.statement,
      limit: rates.ledger,
      goal: 0.25,
      unit: '/s',
    },
    {
      name: 'bank statement, memory after the last by after the first',
      measured: [memory.at(-1) / memory[0]],
      goal: 1.25,
      unit: '×',
      lowerIsBetter: true,
    },
  ];
}

const numberOf = (round, i) => `RE-${2000 + round}-${String(i).padStart(5, '0')}`;

async function openInvoices(service, tenantId, customers, round) {
  const now = new Date();
  const amount = (minor) => ({ amount: minor, currencyCode: 'EUR' });
  for (let at = 0; at < LINES; at += 500) {
    const events = Array.from({ length: Math.min(500, LINES - at) }, (_, i) => ({
      payload: {
        invoiceId: randomUUID(),
        type: 'TYPE_INVOICE',
        number: numberOf(round, at + i),
        customerId: customers[(at + i) % customers.length],
        grossAmount: amount(1000 + at + i),
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

function camt(round) {
  const entries = Array.from({ length: LINES }, (_, i) => entry(round, i)).join('');
  const account = `<Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>`;
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
    `<GrpHdr><MsgId>M${round}</MsgId></GrpHdr><Stmt><Id>${round}</Id>${account}${entries}</Stmt>` +
    '</BkToCstmrStmt></Document>'
  );
}

function entry(round, i) {
  const amount = `<Amt Ccy="EUR">${((1000 + i) / 100).toFixed(2)}</Amt>`;
  const code = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>';
  const payer =
    `<Dbtr><Pty><Nm>Kunde ${i} GmbH</Nm></Pty></Dbtr>` +
    '<DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct>';
  const purpose = `Rechnung ${numberOf(round, i)} vom 12.11.2026, Kundennummer ${10_000 + i}, vielen Dank`;
  return (
    `<Ntry><NtryRef>${i}</NtryRef>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    '<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt>' +
    `<AcctSvcrRef>R${round}-${i}</AcctSvcrRef>${code}` +
    `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${amount}` +
    `<RltdPties>${payer}</RltdPties><RmtInf><Ustrd>${purpose}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
  );
}
