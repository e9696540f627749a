#!/usr/bin/env node
/**
 * Two days of a bank account against five open invoices, on a running system: `node run.mjs [connection.json]` makes a sandbox
 * tenant of its own, imports the statements and prints what became of every line and every invoice.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const IBAN = 'DE89370400440532013000';
/** Net cents by customer; 19 % VAT come on top. */
const INVOICES = { werft: 10_000, backhaus: 20_000, druckerei: 50_000, kiosk: 5_000, segelschule: 9_000 };
const ADDRESS = { street: 'Elbchaussee', houseNumber: '12', zip: '22765', city: 'Hamburg', countryCode: 'DE' };

const statement = (day, numbers) =>
  readFileSync(new URL(`./${day}.xml`, import.meta.url), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => numbers[name]);

/**
 * Plays the scenario. `call(method, path, body)` answers the body and throws when refused; a FormData goes as it is. Gives the
 * lines by the bank's reference (those of the collective entry by their text) and the invoices by customer.
 */
export async function play(call) {
  const account = await call('POST', '/bank-accounts', { name: 'Geschäftskonto', iban: IBAN, currencyCode: 'EUR' });
  const invoices = {};
  for (const [name, amount] of Object.entries(INVOICES)) {
    const customer = await call('POST', '/customers', { email: `${name}@example.org`, companyName: name, ...ADDRESS });
    const position = { name: 'Service', unitPrice: { amount, currencyCode: 'EUR' } };
    const draft = await call('POST', '/invoices', { customer: customer.id, currencyCode: 'EUR', positions: [position] });
    invoices[name] = await call('POST', `/invoices/${draft.id}/finalize`, {});
  }
  const numbers = Object.fromEntries(Object.entries(invoices).map(([name, { number }]) => [name, number]));
  const imports = [];
  for (const day of ['day-1', 'day-2', 'day-2']) {
    const form = new FormData();
    form.set('bankAccountId', account.id);
    form.set('file', new Blob([statement(day, numbers)], { type: 'application/xml' }), `${day}.xml`);
    imports.push(await call('POST', '/payment/bank-account-transactions/import', form));
  }
  const { data } = await call('GET', '/payment/bank-account-transactions?limit=100');
  return { imports, lines: data, invoices };
}

async function main(file = '.data/connection.json') {
  const { baseUrl, apiKey } = JSON.parse(readFileSync(file, 'utf8'));
  const caller = (token) => async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = { authorization: `Bearer ${token}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(baseUrl + path, { method, headers, body: isForm ? body : body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const tenant = await caller(apiKey)('POST', '/sandbox/tenants', { name: 'Bank statement', plan: 'enterprise', features: ['WalletTopUp'] });
  const call = caller(tenant.apiKey);
  const { lines, invoices } = await play(call);
  const major = (amount) => (amount / 100).toFixed(2).padStart(9);
  for (const line of [...lines].reverse()) {
    const suggestions = line.suggestions.map(({ reason }) => `\n${' '.repeat(11)}→ ${reason}`).join('');
    const status = line.status.slice(7).padEnd(24);
    console.log(`${major(line.amount.amount)}  ${status}  ${line.remittanceInformation ?? ''}${suggestions}`);
  }
  // The invoices follow a moment later, by an event.
  await new Promise((resolve) => setTimeout(resolve, 1000));
  console.log();
  for (const [name, { id }] of Object.entries(invoices)) {
    const { number, status, unpaidAmount } = await call('GET', `/invoices/${id}`);
    console.log(`${number}  ${name.padEnd(12)}  ${status.slice(7).padEnd(8)}  open ${major(unpaidAmount.amount)}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv[2]);
