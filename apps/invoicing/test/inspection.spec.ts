import { createHash, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { howMany, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import type { EInvoice } from '../src/domain/e-invoice/e-invoice.js';
import { eInvoiceOf } from '../src/domain/e-invoice/from-snapshot.js';
import { inspect, type Inspection } from '../src/inspection/inspect.js';
import { inspectFile } from '../src/inspection/inspect-file.js';
import { representInspection } from '../src/inspection/represent-inspection.js';
import { writeAnswer } from '../src/inspection/write-answer.js';
import { readCii } from '../src/domain/e-invoice/reading/read-cii.js';
import { readUbl } from '../src/domain/e-invoice/reading/read-ubl.js';
import { parseXml, UnreadableFile } from '../src/domain/e-invoice/reading/xml-node.js';
import { writeCii } from '../src/domain/e-invoice/write-cii.js';
import { writeUbl } from '../src/domain/e-invoice/write-ubl.js';
import { render } from '../src/pdf/render.js';
import { sampleSnapshot } from '../src/pdf/sample-snapshot.js';
import { anySnapshot } from './support/any-snapshot.js';
import { reasonOf, type Tenant, World } from './support/world.js';

const invoice = eInvoiceOf(
  sampleSnapshot(2, { eInvoice: { typeCode: '380', accounting: null }, eInvoiceType: 'zugferd211' }),
);
const cii = writeCii(invoice);

describe("somebody's e-invoice", () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(() => world.stop());

  const validate = (file: string | Uint8Array, headers: Record<string, string> = {}) => {
    const boundary = createHash('sha256').update(randomBytes(8)).digest('hex').slice(0, 20);
    const body = Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`),
      Buffer.from(file),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    return tenant.send('POST', '/e-invoices/validate', body, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    });
  };

  it('is read as XML in both syntaxes and inside a PDF, and said to be valid', async () => {
    const pdf = await render(
      sampleSnapshot(2, { eInvoice: { typeCode: '380', accounting: null }, eInvoiceType: 'zugferd211' }),
    );
    for (const [file, syntax] of [
      [cii, 'cii'],
      [writeUbl(invoice), 'ubl'],
      [pdf, 'cii'],
    ] as const) {
      const answer = await validate(file);
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { syntax, profile: 'EN 16931', valid: true, results: [], invoice: { number: 'RE-2026-00042' } },
      ]);
    }
  });

  it('that breaks rules is answered with them, in German and English', async () => {
    const wrong = cii.replace(/<ram:DuePayableAmount>[^<]*</, '<ram:DuePayableAmount>0.07<');
    const { body } = await validate(wrong);
    expect(body.valid).toBe(false);
    expect(body.results[0]).toEqual({
      ruleId: 'BR-CO-16',
      severity: 'fatal',
      location: 'BT-115',
      message: 'The amount due is wrong: 0.07 instead of 178.14.',
      messages: {
        de: 'Der Zahlbetrag stimmt nicht: 0.07 statt 178.14.',
        en: 'The amount due is wrong: 0.07 instead of 178.14.',
      },
    });
    expect(body.checkedRules).toContain('BR-CO-16');
  });

  it('that breaks rules in each of very many lines is answered with the first thousand, which are not all that count', async () => {
    const line = '<ram:IncludedSupplyChainTradeLineItem/>';
    const fatal = cii.replace('</rsm:SupplyChainTradeTransaction>', `${line.repeat(400)}$&`);
    const { body } = await validate(fatal);
    expect([body.valid, body.results.length, body.invoice.lines.length]).toEqual([
      false,
      1_000,
      invoice.lines.length + 400,
    ]);
    const page = await validate(fatal, { accept: 'text/html' });
    expect(page.body.match(/<li /g)).toHaveLength(1_000);
    const warning = { ruleId: 'LINE-NET', severity: 'warning', location: '', field: '', de: '', en: '' } as const;
    const findings = [...Array.from({ length: 1_000 }, () => warning), { ...warning, severity: 'fatal' as const }];
    expect(representInspection({ syntax: 'cii', profile: '', rules: '', findings, invoice }).valid).toBe(false);
  });

  it('is written out where it is read, so that nobody waits for it, and not where it says too much', async () => {
    const written = await inspectFile(tenant.id, { bytes: Buffer.from(cii), isPage: false });
    expect([Buffer.isBuffer(written), JSON.parse(written.toString())]).toMatchObject([true, { valid: true }]);
    const long = { ...invoice, notes: ['x'.repeat(32 * 1024 * 1024)] };
    const said = { syntax: 'cii', profile: '', rules: '', findings: [], invoice: long } as const;
    expect(() => writeAnswer(said, false)).toThrow(UnreadableFile);
  });

  it('is looked at again for who repeats the request', async () => {
    const key = { 'idempotency-key': 'looked-at' };
    const first = await validate(cii, key);
    expect([first.status, await validate(cii, key)]).toMatchObject([200, { status: 200, body: first.body }]);
  });

  it('can be read as a page, whatever names are in it', async () => {
    const hostile = writeCii({ ...invoice, number: '<script>alert(1)</script>' });
    const page = await validate(hostile, { accept: 'text/html' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('&lt;script&gt;alert(1)');
    expect(page.body).not.toContain('<script>');
  });

  it.each([
    ['text', 'hello'],
    ['nothing', ''],
    ['XML that is cut off', cii.slice(0, 500)],
    ['other XML', '<a><b/></a>'],
    ['no UTF-8', new Uint8Array([0xff, 0xfe, 0x3c, 0x00])],
  ])('%s is said to be none', async (_what, file) => {
    const { status, body } = await validate(file);
    expect([status, body]).toMatchObject([
      200,
      { valid: false, syntax: null, invoice: null, results: [{ ruleId: 'FORMAT', severity: 'fatal' }] },
    ]);
  });

  const pdfWith = (trailer: string): string =>
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
    `3 0 obj\n<< /Filter /Standard /V 2 /R 3 /O <00> /U <00> /P -4 >>\nendobj\ntrailer\n<< /Root 1 0 R ${trailer} >>\n%%EOF`;
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const pdfWithBomb = Buffer.concat([
    Buffer.from(
      `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
        `4 0 obj\n<< /Type /Filespec /F (factur-x.xml) /EF << /F 5 0 R >> >>\nendobj\n` +
        `5 0 obj\n<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n`,
      'latin1',
    ),
    bomb,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF', 'latin1'),
  ]);
  const lol = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY l2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]><a>&l2;</a>`;
  it.each([
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['a billion laughs', lol],
    ['XML nested without end', '<a>'.repeat(200_000) + '</a>'.repeat(200_000)],
    [
      'an element with attributes without end',
      `<a ${Array.from({ length: 700_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`,
    ],
    ['an encrypted PDF', pdfWith('/Encrypt 3 0 R')],
    ['a PDF whose file unpacks to far more', pdfWithBomb],
  ])('%s is refused', async (_what, file) => {
    expect(reasonOf(await validate(file))).toBe('422 file_unreadable');
  });

  it('more than 20 MiB, two fields, no form and no file are refused', async () => {
    expect(reasonOf(await validate(Buffer.alloc(20 * 1024 * 1024 + 1, 32)))).toBe('413 payload_too_large');
    expect(reasonOf(await tenant.send('POST', '/e-invoices/validate', { file: 'x' }))).toBe(
      '415 unsupported_media_type',
    );
  });

  it('of ours says what was written, whatever it is', () => {
    for (const snapshot of fc.sample(anySnapshot, { numRuns: howMany(100, 5_000), seed: testSeed })) {
      const written = eInvoiceOf(snapshot);
      const cross = parseXml(Buffer.from(writeCii(written))).at('CrossIndustryInvoice');
      expect(figures(readCii(cross))).toEqual(figures(written));
      const credit = written.typeCode === '381';
      const ubl = parseXml(Buffer.from(writeUbl(written))).at(credit ? 'CreditNote' : 'Invoice');
      expect(figures(readUbl(ubl, credit))).toEqual(figures(written));
    }
  });

  it('of anybody, changed anywhere, is answered', async () => {
    const bytes = Buffer.from(cii);
    const mutant = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    for (const [at, value] of fc.sample(mutant, { numRuns: howMany(100, 5_000), seed: testSeed })) {
      const changed = Buffer.from(bytes);
      changed[at] = value;
      const said = await inspect(changed).catch((error: unknown) => error);
      expect(said instanceof UnreadableFile || (said as Inspection).findings.length >= 0).toBe(true);
    }
  });
});

/** What must come back to the last digit; white space in texts is the parser's business. */
const figures = ({ number, totals, taxes, lines, currency, taxCurrency, preceding, period }: EInvoice) => ({
  ...{ number, totals, currency, taxCurrency, preceding, period },
  taxes: taxes.map(({ base, tax, category, rate }) => [base, tax, category, rate]),
  lines: lines.map(({ id, quantity, price, baseQuantity, net, category, rate, allowances }) => [
    ...[id, quantity, price, baseQuantity, net, category, rate],
    allowances.map(({ amount, percentage, baseAmount }) => [amount, percentage, baseAmount]),
  ]),
});
