// Invoices with ten positions and a GiroCode as PDF in one thread, every document another one; beside the floor of such a file: its
// operators written and deflated, and all bytes put together, without laying anything out. The same with the e-invoice embedded, whose
// text the floor deflates, too, and that e-invoice alone beside its text put together tag by tag.
import { deflateSync, inflateSync } from 'node:zlib';
import { eInvoiceOf } from '../../apps/invoicing/dist/domain/e-invoice/from-snapshot.js';
import { writeCii } from '../../apps/invoicing/dist/domain/e-invoice/write-cii.js';
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

function snapshotOf(sample, number) {
  const companyName = `Kunde ${number * 7919} GmbH`;
  const recipient = { ...sample.recipient, companyName, nameLines: [companyName, `Frau Änne Nummer ${number}`] };
  const name = `RE-2026-${number}`;
  return { ...sample, number: name, recipient, payment: { ...sample.payment, remittance: name } };
}
const documentOf = (sample, number) => render(snapshotOf(sample, number));

/** The parts of a file: bytes that every document shares, and the operators of its pages. */
function partsOf(file, other) {
  const shared = [];
  const pages = [];
  let from = 0;
  for (const [start, end] of streamsOf(file)) {
    const stream = file.subarray(start, end);
    // What is not packed are the metadata, a part of the file like its objects.
    if (other.includes(stream) || stream[0] !== 0x78) continue;
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

/** The text of an e-invoice, put together from its tags. */
function joinTags(tags) {
  let text = '';
  for (const tag of tags) text += tag;
  return Buffer.from(text);
}

async function floorOf(sample) {
  const [file, other] = [Buffer.from(await documentOf(sample, 1)), Buffer.from(await documentOf(sample, 2))];
  const parts = partsOf(file, other);
  if (parts.pages.length === 0) throw new Error('the pages of the sample were not found');
  return parts;
}

export async function run() {
  const sample = sampleSnapshot(10);
  const issued = sampleSnapshot(10, { eInvoice: { typeCode: '380', accounting: null }, eInvoiceType: 'zugferd211' });
  const [plain, withXml] = [await floorOf(sample), await floorOf(issued)];
  if (withXml.pages.length <= plain.pages.length) throw new Error('the e-invoice of the sample was not found');
  const tags = writeCii(eInvoiceOf(issued)).split(/(?=<)/);
  let number = 0;
  const variants = {
    render: () => rateOf(() => documentOf(sample, number++)),
    floor: () => rateOf(() => draw(plain)),
    withXml: () => rateOf(() => documentOf(issued, number++)),
    floorWithXml: () => rateOf(() => draw(withXml)),
    xml: () => rateOf(() => writeCii(eInvoiceOf(snapshotOf(issued, number++)))),
    joined: () => rateOf(() => joinTags(tags)),
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
    {
      name: 'invoice PDF with its XML, 10 positions, beside both deflated',
      measured: rates.withXml,
      limit: rates.floorWithXml,
      goal: 0.36,
      unit: '/CPU-s',
    },
    {
      name: 'e-invoice alone, 10 positions, beside its tags put together',
      measured: rates.xml,
      limit: rates.joined,
      goal: 0.1,
      unit: '/CPU-s',
    },
  ];
}
