import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { layOutDocument } from './lay-out-document.js';
import { renderDocument, renderFiles, stopRendering } from './render-document.js';
import { render } from './render.js';
import { samplePosition, sampleSnapshot } from './sample-snapshot.js';

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;
const withText = hasPoppler ? it : it.skip;
const folder = mkdtempSync(join(tmpdir(), 'kontor-pdf-'));

async function textOf(snapshot: DocumentSnapshot): Promise<string> {
  const file = join(folder, `${Math.random()}.pdf`);
  writeFileSync(file, await render(snapshot));
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
}
const pagesOf = async (snapshot: DocumentSnapshot): Promise<number> =>
  (await PDFDocument.load(await render(snapshot))).getPageCount();

describe('a document as PDF', () => {
  afterAll(() => stopRendering());

  it('is made in a worker thread, several at once', async () => {
    const files = await Promise.all([1, 2, 3, 4].map((count) => renderDocument('a', sampleSnapshot(count))));
    for (const file of files) expect(Buffer.from(file.subarray(0, 8)).toString()).toBe('%PDF-1.7');
    await stopRendering();
    expect((await renderDocument('a', sampleSnapshot(1))).length).toBeGreaterThan(10_000);
  });

  it('a document that cannot be rendered is refused with its reason and the thread goes on', async () => {
    await expect(renderDocument('a', { ...sampleSnapshot(1), currencyCode: 'NOPE' })).rejects.toThrow('ISO 4217');
    expect((await renderDocument('a', sampleSnapshot(1))).length).toBeGreaterThan(10_000);
  });

  it('one that takes too long, or whose process stops, is to be asked for again', async () => {
    await stopRendering();
    const again = { kind: 'unavailable', retryAfterSeconds: 5 };
    await expect(renderFiles('a', sampleSnapshot(1), 0)).rejects.toMatchObject(again);
    const cut = expect(Promise.all([1, 2, 3].map(() => renderFiles('a', sampleSnapshot(1))))).rejects.toMatchObject(
      again,
    );
    await stopRendering();
    await cut;
    expect((await renderDocument('a', sampleSnapshot(1))).length).toBeGreaterThan(10_000);
  });

  it('is the same file whenever it is made', async () => {
    expect(
      Buffer.from(await render(sampleSnapshot(3))).equals(Buffer.from(await renderDocument('a', sampleSnapshot(3)))),
    ).toBe(true);
  });

  it('whatever texts it holds, it can be rendered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        async (short, long) => {
          const sample = sampleSnapshot(1);
          const file = await render({
            ...sample,
            number: short,
            seller: {
              ...sample.seller,
              companyName: short,
              address: { ...sample.seller.address, countryCode: short },
              registrationLines: [long],
            },
            recipient: { ...sample.recipient, nameLines: [short, long] },
            positions: [samplePosition(1, { name: short, description: long, unitName: short })],
            texts: { title: short, introduction: long, closing: '\ud800' },
            payment: {
              ...(sample.payment as object),
              kind: 'transfer',
              iban: short,
              accountHolder: short,
              remittance: long,
            } as DocumentSnapshot['payment'],
          });
          expect(file.length).toBeGreaterThan(1000);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('a draft without positions and without seller can be looked at', async () => {
    const sample = sampleSnapshot(0, {
      draft: true,
      number: null,
      positions: [],
      taxes: [],
      servicePeriod: null,
      dueDate: null,
      payment: { kind: 'none' },
    });
    const nobody = {
      ...sample.seller,
      companyName: '',
      bankAccount: null,
      vatId: null,
      taxNumber: null,
      registrationLines: [],
      contact: { name: null, email: null, phone: null, website: null },
    };
    expect(await pagesOf({ ...sample, seller: nobody })).toBe(1);
  });

  it('three positions with a GiroCode fit on one page, two hundred need several', async () => {
    expect(sampleSnapshot(3).payment).toMatchObject({ kind: 'transfer', qrCode: true });
    expect(await pagesOf(sampleSnapshot(3))).toBe(1);
    expect(await pagesOf(sampleSnapshot(200))).toBeGreaterThan(8);
  });

  it('every font is embedded', async () => {
    const pdf = await PDFDocument.load(await render(sampleSnapshot(1)));
    const descriptors = pdf.context
      .enumerateIndirectObjects()
      .map(([, object]) => String(object))
      .filter((text) => text.includes('/Type /FontDescriptor'));
    expect(descriptors.length).toBe(2);
    for (const descriptor of descriptors) expect(descriptor).toContain('/FontFile2');
  });

  withText('shows the amount due, the due date, the service period, tax and seller data', async () => {
    const text = await textOf(sampleSnapshot(2));
    for (const expected of [
      'Rechnung RE-2026-00042',
      'Zu zahlen',
      '178,14 €',
      '14.03.2026',
      '01.02.2026 – 28.02.2026',
      'USt. 19 % auf 149,70 €',
      'DE123456789',
      '27/123/45678',
      'DE02 1203 0000 0000 2020 51',
      'Seite 1 von 1',
      'Bäckerei Müller & Söhne KG',
    ]) {
      expect(text).toContain(expected);
    }
  });

  withText('without a service period it states the day of supply', async () => {
    expect(await textOf(sampleSnapshot(1, { servicePeriod: null }))).toMatch(/Leistungsdatum +28\.02\.2026/);
  });

  withText('carries the running sum from page to page', async () => {
    const text = await textOf(sampleSnapshot(60));
    const carried = [...text.matchAll(/Übertrag +([\d.,]+) €/g)].map((match) => match[1]);
    const received = [...text.matchAll(/Übertrag von Seite \d+ +([\d.,]+) €/g)].map((match) => match[1]);
    expect(carried.length).toBeGreaterThan(1);
    expect(received).toEqual(carried);
    expect(text.match(/Einzelpreis/g)).toHaveLength(received.length + 1);
  });

  withText('names Polish, Greek and Cyrillic people, and draws a square for what the font lacks', async () => {
    const sample = sampleSnapshot(1);
    const text = await textOf({
      ...sample,
      recipient: {
        ...sample.recipient,
        nameLines: ['Żółć Sp. z o.o. Łódź', 'Ελληνική Εταιρεία', 'Пётр', '株式会社 ﬁrma\u0000'],
      },
    });
    for (const expected of ['Żółć Sp. z o.o. Łódź', 'Ελληνική Εταιρεία', 'Пётр', '□□□□ firma'])
      expect(text).toContain(expected);
  });

  withText('has headings, tables and labels for those who cannot see it, in the order of reading', async () => {
    const file = join(folder, 'tagged.pdf');
    writeFileSync(file, await render(sampleSnapshot(60)));
    const structure = execFileSync('pdfinfo', ['-struct-text', file], { encoding: 'utf8' });
    const parts = [
      'Document',
      'P (block)\n    "Nordlicht Software GmbH"',
      '"Bäckerei Müller & Söhne KG Frau Änne Größmann Hinterhaus',
      'Lbl (block)\n        "Rechnungsnummer"\n      LBody (block)\n        "RE-2026-00042"',
      'H1 (block)\n    "Rechnung RE-2026-00042"',
      'TH:',
      '"Einzelpreis"',
      '"Team-Tarif',
      '"Nettobetrag"',
      'Figure',
      '"Nordlicht Software GmbH',
    ];
    let from = 0;
    for (const part of parts) {
      expect([part, structure.indexOf(part, from)]).not.toEqual([part, -1]);
      from = structure.indexOf(part, from) + 1;
    }
    // The header of later pages, sums carried over, page numbers and repeated footers are not read out.
    expect(structure.match(/"Einzelpreis"/g)).toHaveLength(1);
    expect(structure).not.toMatch(/Übertrag|Seite 1 von/);
    expect(structure.match(/IBAN DE02/g)).toHaveLength(1);
  });

  it('a short invoice with a code to scan stays on one page, a longer one has air between its parts', () => {
    expect([1, 3, 4, 9, 60].map((n) => layOutDocument(sampleSnapshot(n)).pages.length)).toEqual([1, 1, 1, 2, 5]);
  });

  withText('a credit of several invoices names them all', async () => {
    const invoice = { type: 'TYPE_INVOICE', issueDate: '2026-02-28' } as const;
    const numbers = Array.from({ length: 12 }, (_, n) => `RE-2026-000${n + 10}`);
    const referencedDocuments = numbers.map((number) => ({ ...invoice, number }));
    const text = await textOf(sampleSnapshot(1, { type: 'TYPE_CREDIT', referencedDocuments }));
    for (const number of numbers) expect(text).toContain(number);
  });

  withText('a credit is called a correction of its invoice, in negative amounts', async () => {
    const text = await textOf(
      sampleSnapshot(0, {
        type: 'TYPE_CREDIT',
        number: 'RK-2026-00003',
        payment: { kind: 'credit' },
        texts: { title: 'Rechnungskorrektur', introduction: null, closing: null },
        referencedDocument: { type: 'TYPE_INVOICE', number: 'RE-2026-00042', issueDate: '2026-02-28' },
        positions: [
          samplePosition(1, {
            quantity: '-1',
            netAmount: -4990,
            netAfterDiscount: -4990,
            taxAmount: -948,
            grossAmount: -5938,
          }),
        ],
      }),
    );
    for (const expected of [
      'Rechnungskorrektur RK-2026-00003',
      'Zu Beleg RE-2026-00042 vom 28.02.2026',
      '-59,38 €',
      'Guthaben',
    ])
      expect(text).toContain(expected);
    expect(text).not.toMatch(/^\s*Gutschrift/m);
  });

  withText('discounts, children, headlines and two tax rates are shown', async () => {
    const discounted = samplePosition(2, {
      groupId: 'a',
      discountAmount: 998,
      discountPercentage: '10',
      netAfterDiscount: 8982,
      taxAmount: 1707,
      children: [samplePosition(3, { label: '2.1', taxRate: '7', taxAmount: 1048 })],
    });
    const text = await textOf(
      sampleSnapshot(0, {
        groups: [{ id: 'a', ranking: 1, name: 'Werk Süd' }],
        positions: [samplePosition(1), discounted],
      }),
    );
    for (const expected of [
      'Werk Süd',
      '2.1',
      'Rabatt 10 %',
      '-9,98 €',
      'Summe vor Rabatt',
      'USt. 7 % auf 149,70 €',
      'Umsatzsteuer',
    ])
      expect(text).toContain(expected);
  });

  withText('speaks English, names reverse charge and collects by direct debit', async () => {
    const sample = sampleSnapshot(0, {
      language: 'en',
      positions: [samplePosition(1, { taxCategory: 'AE', taxRate: '0', taxAmount: 0, grossAmount: 4990 })],
      texts: { title: 'Invoice', introduction: null, closing: null },
      payment: {
        kind: 'sepa_debit',
        iban: 'DE02••••2051',
        mandateReference: 'MND-1',
        creditorIdentifier: 'DE98ZZZ',
        debitDate: '2026-03-14',
      },
    });
    const text = await textOf({
      ...sample,
      taxes: sample.taxes.map((tax) => ({ ...tax, legalNote: 'Reverse charge: the recipient owes the tax.' })),
    });
    for (const expected of [
      'Amount due',
      '€49.90',
      'Debited on',
      '14 Mar 2026',
      'Reverse charge',
      'MND-1',
      'Page 1 of 1',
    ])
      expect(text).toContain(expected);
  });

  it('leaves out a logo that cannot be shown', async () => {
    const plain = Buffer.from(await render(sampleSnapshot(1)));
    const huge = Buffer.alloc(64);
    huge.write('89504e470d0a1a0a0000000d4948445200ffffff00ffffff0806000000', 'hex');
    const header = (width: string): string => `0000000d49484452${width}${width}080600000000000000`;
    const twoHeaders = `89504e470d0a1a0a${header('00000001')}${header('00004e20')}0000000049454e44ae426082`;
    for (const logo of [
      'data:image/png;base64,iVBORw0KGgo=',
      `data:image/png;base64,${huge.toString('base64')}`,
      `data:image/png;base64,${Buffer.from(twoHeaders, 'hex').toString('base64')}`,
      'data:image/svg+xml;base64,PHN2Zy8+',
      'data:image/jpeg;base64,/9j/AAAA',
      'f'.repeat(64),
    ]) {
      const pdf = Buffer.from(await render(sampleSnapshot(1, { brand: { accentColor: null, logo } })));
      expect([logo, pdf.equals(plain)]).toEqual([logo, true]);
    }
  });

  withText('very long names, words and texts stay readable and end', async () => {
    const sample = sampleSnapshot(1);
    const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(6);
    const text = await textOf({
      ...sample,
      recipient: {
        ...sample.recipient,
        nameLines: [word, word, word],
        address: { ...sample.recipient.address, city: 'Zwiesel' },
      },
      positions: [samplePosition(1, { name: word, description: `${'Sehr ausführlich. '.repeat(2000)}Ende` })],
      texts: { title: word, introduction: word, closing: null },
    });
    expect(text).toContain('Ende');
    expect(text).toContain('Zwiesel');
  });
});
