import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readZip } from '@kontor/testing';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { ExportDocuments } from '../src/exports/export-documents.js';
import { position, reasonOf, type Tenant, World } from './support/world.js';

describe('the export for auditors', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;
  /** The tenant's time. */
  let now: number;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
    now = Date.parse(
      (await tenant.ok('POST', '/invoices', { customer: customerId, positions: [position()] })).creationDate,
    );
  });
  afterAll(() => world.stop());

  const day = (offset = 0): string => new Date(now + offset * 86_400_000).toISOString().slice(0, 10);
  const archiveOf = async (from: string, to: string): Promise<Map<string, Buffer>> => {
    const stream = await (world.test.service.get(ExportDocuments) as ExportDocuments).execute(tenant.id, { from, to });
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    return readZip(Buffer.concat(pieces));
  };
  const lines = (entries: Map<string, Buffer>, name: string): string[][] =>
    (entries.get(name) as Buffer)
      .toString()
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(';'));

  it('has every file as it was stored, with tables that agree with the documents', async () => {
    const { id } = await tenant.draft(customerId, position({ name: '=SUM(A1)' }));
    const { number } = await tenant.ok('POST', `/invoices/${id}/finalize`);
    await tenant.charge(Array.from({ length: 102 }, (_, n) => tenant.batch(customerId, [{}], { groupingKey: `${n}` })));
    const cancellation = await tenant.ok('POST', `/invoices/${id}/cancel`);
    await tenant.draft(customerId);
    const entries = await archiveOf(day(-1), day(1));
    for (const extension of ['pdf', 'xml'])
      expect([...entries.keys()].filter((name) => new RegExp(`^belege/.*\\.${extension}$`).test(name))).toHaveLength(
        104,
      );
    const pdf = await tenant.send('GET', `/invoices/${cancellation.id}/pdf`);
    expect(pdf.status).toBe(200);
    const files = lines(entries, 'dateien.csv');
    for (const [, path, mime, size, sha256] of files) {
      const bytes = entries.get(path as string) as Buffer;
      expect([mime, size, sha256]).toEqual([
        path?.endsWith('.xml') ? 'application/xml' : 'application/pdf',
        String(bytes.length),
        createHash('sha256').update(bytes).digest('hex'),
      ]);
    }
    const documents = lines(entries, 'belege.csv');
    expect(documents).toHaveLength(104);
    const last = documents.find((line) => line[0] === cancellation.number) as string[];
    expect(last[1]).toBe('TYPE_CANCEL');
    expect(last.slice(11, 15)).toEqual(['-100,00', '-19,00', '-119,00', number]);
    expect(documents.find((line) => line[0] === number)?.at(-1)).toBe('STATUS_CANCELLED');
    const ofIt = (name: string): string[] => lines(entries, name).find((line) => line[0] === number) as string[];
    expect(ofIt('positionen.csv').slice(1, 3)).toEqual(['1', "'=SUM(A1)"]);
    expect(ofIt('steuern.csv').slice(1)).toEqual(['S', '19', '100,00', '19,00', '']);
    const index = (entries.get('index.xml') as Buffer).toString();
    expect(XMLValidator.validate(index)).toBe(true);
    const { DataSet } = new XMLParser().parse(index) as { DataSet: { Media: { Table: { URL: string }[] } } };
    expect(DataSet.Media.Table.map((table) => table.URL)).toEqual([
      'belege.csv',
      'positionen.csv',
      'steuern.csv',
      'dateien.csv',
    ]);
    expect(index).toContain('<!DOCTYPE DataSet SYSTEM "gdpdu-01-08-2002.dtd">');
    expect(index).toContain('<RecordDelimiter>&#13;&#10;</RecordDelimiter>');
    expect(entries.has('gdpdu-01-08-2002.dtd')).toBe(true);
  });

  it('of other days is empty but for its tables', async () => {
    const entries = await archiveOf('2020-01-01', '2020-12-31');
    expect([...entries.keys()].sort()).toEqual([
      'belege.csv',
      'dateien.csv',
      'gdpdu-01-08-2002.dtd',
      'index.xml',
      'positionen.csv',
      'steuern.csv',
    ]);
  });

  it('comes over HTTP as an archive; malformed days are refused', async () => {
    const answer = await tenant.send('GET', `/documents/export?from=${day(-1)}&to=${day(1)}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    for (const query of [
      '',
      '?from=2026-01-01',
      '?from=2026-01-01&to=2025-01-01',
      '?from=x&to=y',
      `?from=${day()}&to=${day()}&a=1`,
    ])
      expect(reasonOf(await tenant.send('GET', `/documents/export${query}`))).toBe('400 invalid_request');
  });

  it('ends when its reader goes', async () => {
    const exporting = world.test.service.get(ExportDocuments) as ExportDocuments;
    const stream = await exporting.execute(tenant.id, { from: day(-1), to: day(1) });
    await new Promise((resolve) => stream.once('readable', resolve));
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect((await archiveOf(day(-1), day(1))).size).toBeGreaterThan(100);
  });
});
