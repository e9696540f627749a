// Invoices with ten positions and a GiroCode as PDF, per second of CPU time, in one thread. Every document is another one.
import { render } from '../../apps/invoicing/dist/pdf/render.js';
import { sampleSnapshot } from '../../apps/invoicing/dist/pdf/sample-snapshot.js';

const SECONDS = 2;

/** Documents per CPU-second of one round. */
async function round(sample, number) {
  const begun = process.cpuUsage();
  let count = 0;
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; count += 1) {
    const name = `RE-2026-${number}-${count}`;
    const recipient = { ...sample.recipient, nameLines: [`Kunde ${count * 7919} GmbH`, `Frau Änne Nummer ${count}`] };
    await render({ ...sample, number: name, recipient, payment: { ...sample.payment, remittance: name } });
  }
  const { user, system } = process.cpuUsage(begun);
  return count / ((user + system) / 1e6);
}

export async function run() {
  const sample = sampleSnapshot(10);
  await round(sample, 'warm');
  const measured = [];
  for (let i = 0; i < 5; i += 1) measured.push(await round(sample, i));
  return [{ name: 'invoice PDF, 10 positions', measured, goal: 450, unit: '/CPU-s' }];
}
