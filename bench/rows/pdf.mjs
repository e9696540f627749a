// Invoices with ten positions and a GiroCode as PDF in one thread, every document another one; beside the floor of such a file: its
// operators written and deflated, and all bytes put together, without laying anything out.
import { deflateSync, inflateSync } from 'node:zlib';
import { render } from '../../apps/invoicing/dist/pdf/render.js';
import { sampleSnapshot } from '../../apps/invoicing/dist/pdf/sample-snapshot.js';
import { interleaved } from '../report.mjs';

const SECONDS = 2;

/** Documents per CPU-second of one round. */
async function rateOf(make) {
  const begun = process.cpuUsage();
  let count = 0;
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; count += 1) await make(count);
  const { user, system } = process.cpuUsage(begun);
  return count / ((user + system) / 1e6);
}

const documentOf = (sample, number) => {
  const recipient = { ...sample.recipient, nameLines: [`Kunde ${number * 7919} GmbH`, `Frau Änne Nummer ${number}`] };
  const name = `RE-2026-${number}`;
  return render({ ...sample, number: name, recipient, payment: { ...sample.payment, remittance: name } });
};

/** The parts of a file: bytes that every document shares, and the operators of its pages. */
function partsOf(file, other) {
  const shared = [];
  const pages = [];
  let from = 0;
  for (const [start, end] of streamsOf(file)) {
    const stream = file.subarray(start, end);
    if (other.includes(stream)) continue;
    shared.push(file.subarray(from, start));
    pages.push(inflateSync(stream).toString('latin1').split('\n'));
    from = end;
  }
  return { shared: [...shared, file.subarray(from)], pages };
}

function* streamsOf(file) {
  const text = file.toString('latin1');
  for (const found of text.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g)) {
    const start = found.index + found[0].length;
    yield [start, start + Number(found[1])];
  }
}

function draw({ shared, pages }) {
  const written = pages.map((operators) => {
    let page = '';
    for (const operator of operators) page += `${operator}\n`;
    return deflateSync(Buffer.from(page, 'latin1'));
  });
  return Buffer.concat(shared.flatMap((bytes, n) => [bytes, written[n] ?? Buffer.alloc(0)]));
}

export async function run() {
  const sample = sampleSnapshot(10);
  const [file, other] = [Buffer.from(await documentOf(sample, 1)), Buffer.from(await documentOf(sample, 2))];
  const parts = partsOf(file, other);
  if (parts.pages.length === 0) throw new Error('the pages of the sample were not found');
  let number = 0;
  const variants = {
    render: () => rateOf(() => documentOf(sample, number++)),
    floor: () => rateOf(() => draw(parts)),
  };
  for (const variant of Object.values(variants)) await variant();
  const rates = await interleaved(variants);
  return [
    {
      name: 'invoice PDF, 10 positions, beside its operators deflated',
      measured: rates.render,
      limit: rates.floor,
      goal: 0.2,
      unit: '/CPU-s',
    },
  ];
}
