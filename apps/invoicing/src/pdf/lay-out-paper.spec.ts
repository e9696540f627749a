import { describe, expect, it } from '@jest/globals';
import type { PaperBlock, PaperRequest } from '@kontor/contracts';
import { crc32, deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { writeFileSync } from 'node:fs';
import { renderPaper } from './render.js';
import { sampleSnapshot } from './sample-snapshot.js';

const { seller } = sampleSnapshot(1);

/** A drawing: a line from corner to corner. */
function drawing(width: number, height: number): string {
  const rows = Buffer.alloc((width + 1) * height, 255);
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = 0;
    rows[y * (width + 1) + 1 + Math.floor((y / height) * width)] = 0;
  }
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([magic, ...data]).toString('base64');
}

const table: PaperBlock = {
  kind: 'table',
  heading: 'Erste Rechnung',
  columns: ['Leistung', 'Menge', 'Betrag'],
  lines: [
    { name: 'Team', description: 'Plätze, monatlich', quantity: '5', amount: '50,00 €' },
    {
      name: 'Einrichtung mit einem langen Namen, der nicht in eine Zeile der Tabelle passt',
      description: null,
      quantity: '1',
      amount: '1.190,00 €',
    },
  ],
  sums: [
    { label: 'Netto', amount: '1.240,00 €', total: false },
    { label: 'Umsatzsteuer', amount: '235,60 €', total: false },
    { label: 'Gesamt', amount: '1.475,60 €', total: true },
  ],
};
const letter = (blocks: PaperBlock[]): PaperRequest => ({
  language: 'de',
  day: '2026-03-02',
  title: 'Angenommenes Angebot AN-2026-00001',
  references: [
    ['Angebotsnummer', 'AN-2026-00001'],
    ['Datum', '2. März 2026'],
    ['Kundennummer', 'K-10001'],
  ],
  recipient: {
    nameLines: ['Backhaus Elbe GmbH', 'Jule Brandt'],
    address: {
      street: 'Elbchaussee',
      houseNumber: '12',
      addition: null,
      zip: '22765',
      city: 'Hamburg',
      countryCode: 'DE',
    },
  },
  blocks,
});
const signed = (picture: string | null): PaperBlock => ({
  kind: 'entries',
  heading: 'Annahme',
  entries: [
    { title: 'Unterschrieben von Jule Brandt', lines: ['jule@backhaus.example', 'Zeitpunkt: 2. März 2026'], picture },
  ],
});
const all = (picture: string | null): PaperBlock[] => [
  {
    kind: 'text',
    heading: 'Worum es geht',
    text: 'Fünf Plätze für Ihr Team.\nEinrichtung & Schulung sind <inklusive>.',
  },
  table,
  { kind: 'text', heading: null, text: 'Danach monatlich: 59,50 € inkl. Umsatzsteuer' },
  signed(picture),
  { kind: 'sign', labels: ['Ort, Datum', 'Unterschrift'] },
  { kind: 'note', text: 'Fassung (SHA-256): 0f3a' },
];
const pagesOf = async (bytes: Uint8Array): Promise<number> => (await PDFDocument.load(bytes)).getPageCount();

describe('a letter of another service', () => {
  it('is one page in the design of invoices, the same bytes each time', async () => {
    const request = letter(all(drawing(400, 100)));
    const [once, again] = [await renderPaper({ request, seller }), await renderPaper({ request, seller })];
    expect(Buffer.from(once).equals(Buffer.from(again))).toBe(true);
    const folder = process.env['SCREENSHOTS'];
    expect(await pagesOf(once)).toBeLessThanOrEqual(2);
    if (folder) writeFileSync(`${folder}/paper.pdf`, once);
  });

  it('leaves out a picture that cannot be read', async () => {
    const broken = Buffer.from('no picture').toString('base64');
    const without = await renderPaper({ request: letter(all(null)), seller });
    const written = await renderPaper({ request: letter(all(broken)), seller });
    expect(Buffer.from(written).equals(Buffer.from(without))).toBe(true);
  });

  it('goes on over pages, and loses nothing', async () => {
    const many = {
      ...table,
      lines: Array.from({ length: 60 }, (_, n) => ({ ...table.lines[0]!, name: `Zeile ${n}` })),
    };
    const bytes = await renderPaper({
      request: letter([many, ...Array.from({ length: 12 }, () => signed(null))]),
      seller,
    });
    expect(await pagesOf(bytes)).toBe(5);
  });
});
