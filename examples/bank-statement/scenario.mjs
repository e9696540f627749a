// Two statements of one bank account, from the file to booked, suggested and open items, over the public API only.

const LINES = '/api/payment/bank-account-transactions';
const IBAN = 'DE89370400440532013000';

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const part = ({ amount, text, name, iban, endToEnd, back }) =>
  `<TxDtls><Refs><EndToEndId>${endToEnd ?? 'NOTPROVIDED'}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt><RltdPties><Dbtr><Pty><Nm>${xml(name)}</Nm></Pty></Dbtr>${iban ? `<DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct>` : ''}</RltdPties><RmtInf><Ustrd>${xml(text)}</Ustrd></RmtInf>${back ? `<RtrInf><Rsn><Cd>${back}</Cd></Rsn></RtrInf>` : ''}</TxDtls>`;

/** A CAMT.053 statement of one day, as a bank writes it. */
const statement = (number, day, entries) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${number}</MsgId></GrpHdr><Stmt><Id>${number}</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>EUR</Ccy></Acct>
${entries.map((entry, i) => `<Ntry><Amt Ccy="EUR">${entry.amount}</Amt><CdtDbtInd>${entry.back ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>${number}-${i + 1}</AcctSvcrRef><NtryDtls>${(entry.parts ?? [entry]).map(part).join('')}</NtryDtls></Ntry>`).join('\n')}
</Stmt></BkToCstmrStmt></Document>`;

/**
 * Plays it in the tenant of `apiKey` and gives what has become of invoices and lines. `say` is told what happens.
 * The tenant needs nothing but its seller data, which a sandbox has.
 */
export async function play(baseUrl, apiKey, say = () => undefined) {
  const send = async (method, path, body, form) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(form || body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(form ? { body: form } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const invoice = async (customer, amount) => {
    const position = { name: 'Wartung', unitPrice: { amount, currencyCode: 'EUR' } };
    const draft = await send('POST', '/invoices', { customer: customer.id, positions: [position] });
    return send('POST', `/invoices/${draft.id}/finalize`, {});
  };
  const customer = (companyName) =>
    send('POST', '/customers', {
      email: `buchhaltung@${companyName.toLowerCase().replace(/[^a-z]+/g, '-')}.example`, companyName, street: 'Elbchaussee', houseNumber: '7', zip: '22765', city: 'Hamburg',
    }); // prettier-ignore
  const shown = async (one) => {
    const { number, status, grossAmount, unpaidAmount } = await send('GET', `/invoices/${one.id}`);
    return { number, status, gross: grossAmount.amount, unpaid: unpaidAmount.amount };
  };
  /** What invoices show follows the money by an event: it is there soon. */
  const settled = async (one, status) => {
    for (let tries = 0; ; tries += 1) {
      const found = await shown(one);
      if (found.status === status || tries === 100) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const upload = (account, name, content) => {
    const form = new FormData();
    form.set('bankAccountId', account.id);
    form.set('file', new Blob([content]), name);
    return send('POST', `${LINES}/import`, undefined, form);
  };
  const lines = async () => (await send('GET', `${LINES}?limit=100&order[bookingDate]=asc`)).data;
  const major = (one) => (one.grossAmount.amount / 100).toFixed(2);

  const [backhaus, werft, hafen] = [await customer('Backhaus Elbe'), await customer('Werft Nord'), await customer('Hafenkontor')];
  const [a, b, c, d, e, f] = [
    await invoice(backhaus, 10000), await invoice(backhaus, 5000), await invoice(werft, 7500), await invoice(werft, 3000), await invoice(hafen, 20000),
    await invoice(hafen, 4200),
  ]; // prettier-ignore
  const account = await send('POST', '/bank-accounts', { name: 'Geschäftskonto', iban: IBAN });
  say(`six invoices are unpaid: ${[a, b, c, d, e, f].map((one) => one.number).join(', ')}`);

  const batch = [
    { amount: major(b), text: `Rg. ${b.number.replaceAll('-', ' ')}`, name: 'Backhaus Elbe' },
    { amount: major(c), text: `${c.number.toLowerCase()} danke`, name: 'Werft Nord', iban: 'NL91ABNA0417164300' },
  ];
  const first = statement('2026-00231', '2026-11-19', [
    { amount: major(a), text: `Rechnung ${a.number}`, name: 'Backhaus Elbe', iban: 'DE02120300000000202051', endToEnd: 'BACKHAUS-1' },
    { amount: (batch.reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0) / 100).toFixed(2), parts: batch },
    { amount: '100.00', text: `Teilzahlung ${e.number}`, name: 'Hafenkontor' },
    { amount: '12.34', text: 'Flohmarkt, Stand 7', name: 'Unbekannt' },
  ]);
  const imported = await upload(account, 'statement-231.xml', first);
  say(`the first statement: ${JSON.stringify(imported)}`);
  const again = await upload(account, 'statement-231.xml', first);
  say(`the same file again: ${JSON.stringify(again)}`);
  const paid = { a: await settled(a, 'STATUS_PAID'), b: await settled(b, 'STATUS_PAID'), c: await settled(c, 'STATUS_PAID') };

  const second = statement('2026-00232', '2026-11-20', [
    { amount: major(a), text: 'Rueckgabe', name: 'Backhaus Elbe', endToEnd: 'BACKHAUS-1', back: 'AC04' },
    { amount: major(d), text: 'wie besprochen', name: 'Werft Nord', iban: 'NL91ABNA0417164300' },
  ]);
  say(`the second statement: ${JSON.stringify(await upload(account, 'statement-232.xml', second))}`);
  const reopened = await settled(a, 'STATUS_UNPAID');

  const matched = await lines();
  for (const line of matched)
    say(`  ${String((line.amount.amount / 100).toFixed(2)).padStart(8)}  ${line.status.padEnd(34)} ${line.suggestions[0]?.reason ?? line.remittanceInformation}`);

  const suggested = matched.filter((line) => line.status === 'STATUS_SUGGESTIONS_AVAILABLE').map((line) => line.id);
  await send('PUT', `${LINES}/accept-suggestions`, { transactionIds: suggested });
  const unknown = matched.find((line) => line.status === 'STATUS_MANUAL_MATCHING_REQUIRED');
  const assigned = await send('PUT', `${LINES}/${unknown.id}/assign`, { invoiceIds: [f.id] });
  say(`suggestions are accepted, the unknown payer turned out to pay ${f.number}: ${JSON.stringify(assigned)}`);
  const end = { a: reopened, d: await settled(d, 'STATUS_PAID'), e: await shown(e), f: await shown(f) };
  for (let tries = 0; tries < 100 && (end.e.unpaid === end.e.gross || end.f.unpaid === end.f.gross); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    Object.assign(end, { e: await shown(e), f: await shown(f) });
  }
  for (const one of Object.values({ ...paid, ...end })) say(`  ${one.number}  ${one.status.padEnd(16)} open ${(one.unpaid / 100).toFixed(2)}`);
  return { imported, again, paid, reopened, matched, assigned, end, after: await lines() };
}
