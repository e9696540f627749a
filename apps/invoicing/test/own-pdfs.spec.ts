import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { receivePdf } from '../src/own-pdfs/receive-pdf.js';
import { embeddedXml, pdfaPartOf } from '../src/pdf/xmp.js';
import { render } from '../src/pdf/render.js';
import { sampleSnapshot } from '../src/pdf/sample-snapshot.js';
import { xmlInPdf } from '../src/pdf/xml-in-pdf.js';
import { eur, position, reasonOf, type Tenant, World } from './support/world.js';

// The clock of these tenants stands still in the past: what is due then is due. So nothing is, for many years.
const LATER = 10_000_000;
const ownRendering = (change: object = {}) => ({
  customPdfRendering: { enabled: true, embedXml: true, fallback: true, timeoutMinutes: LATER, ...change },
});

async function anyPdf(change: (pdf: PDFDocument) => void = () => undefined, pages = 1): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let page = 0; page < pages; page++) pdf.addPage();
  change(pdf);
  return pdf.save({ useObjectStreams: pages > 10, addDefaultPage: false });
}

const fileIdOf = ({ body }: { readonly body: unknown }): string => (body as { file: { id: string } }).file.id;

const upload = (tenant: Tenant, id: string, file: string | Uint8Array) => {
  const boundary = 'thirty-paces';
  const body = Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`),
    Buffer.from(file),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return tenant.send('POST', `/api/invoices/${id}/pdf`, body, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
};

describe("PDFs of the tenant's own system", () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const bytesOf = async (mediaId: string): Promise<Uint8Array> => {
    const [row] = await world.test.peek<{ key: string }>('SELECT blob_key AS key FROM media WHERE id = $1', [mediaId]);
    return new Uint8Array(await world.test.service.kit.blobs.get(row?.key ?? ''));
  };
  const sent = async (tenant: Tenant, id: string, type: string): Promise<Record<string, unknown>[]> =>
    (
      await world.test.peek<{ payload: string }>(
        'SELECT payload FROM outbox WHERE tenant_id = $1 AND type = $2 AND payload::text LIKE $3 ORDER BY id',
        [tenant.id, type, `%${id}%`],
      )
    ).map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
  const finalized = async (tenant: Tenant, ...positions: object[]) => {
    const customer = await tenant.customer();
    const { id } = await tenant.draft(customer.id, ...positions);
    return tenant.ok('POST', `/invoices/${id}/finalize`);
  };
  const timeOut = (tenant: Tenant, id: string): Promise<unknown> =>
    world.test.peek(
      `UPDATE due_work SET due_at = now(), poll_at = now()
       WHERE tenant_id = $1 AND kind = 'invoicing.awaited-pdf' AND ref = $2 RETURNING 1`,
      [tenant.id, id],
    );
  const status = async (tenant: Tenant, id: string): Promise<string> =>
    ((await tenant.ok('GET', `/invoices/${id}`)) as { status: string }).status;

  it('are asked for with all that is on the document, and their upload finalizes it', async () => {
    const tenant = await world.tenant({ settings: ownRendering() });
    const invoice = await finalized(tenant, position(), position({ name: 'Reise', group: 'Spesen' }));
    expect(invoice).toMatchObject({ status: 'STATUS_FINALIZING', file: null, paymentIntent: null });
    expect(invoice.number).toMatch(/^RE-/);
    const [asked] = (await sent(tenant, invoice.id, 'invoicing.invoice.changed.v1'))
      .flatMap(({ notices }) => notices as { type: string; data: unknown }[])
      .filter(({ type }) => type === 'invoice.pdf.generation_requested');
    expect(asked?.data).toMatchObject({
      invoice: { id: invoice.id, number: invoice.number, status: 'STATUS_FINALIZING', file: null },
      document: {
        number: invoice.number,
        seller: { companyName: 'Nordlicht Software GmbH' },
        positions: [{ name: 'Beratung' }, { name: 'Reise' }],
        payment: { kind: 'transfer', remittance: invoice.number },
      },
    });
    expect(await sent(tenant, invoice.id, 'invoicing.invoice.finalizing.v1')).toEqual([]);
    expect(reasonOf(await tenant.send('GET', `/invoices/${invoice.id}/pdf`))).toBe('404 not_found');
    expect((await tenant.send('GET', `/invoices/${invoice.id}/xml`)).status).toBe(200);
    const preview = await tenant.ok('GET', `/invoices/${invoice.id}/preview`);
    expect(preview.file.fileName).toBe('preview.pdf');

    const answer = await upload(tenant, invoice.id, await anyPdf());
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        id: invoice.id,
        status: 'STATUS_UNPAID',
        file: { fileName: `${invoice.number}.pdf` },
        unpaidAmount: eur(23800),
      },
    ]);
    expect((await tenant.notices(invoice.id)).map((n) => `${n.type} ${n.status}`)).toEqual([
      'invoice.created STATUS_DRAFT',
      'invoice.pdf.generation_requested STATUS_FINALIZING',
      'invoice.finalized STATUS_UNPAID',
    ]);
    const stored = await bytesOf(fileIdOf(answer));
    const xml = await tenant.send('GET', `/invoices/${invoice.id}/xml`);
    expect(Buffer.from(await xmlInPdf(stored)).toString()).toBe(xml.body);
    expect(await sent(tenant, invoice.id, 'invoicing.media.ready.v1')).toHaveLength(1);
    expect(reasonOf(await upload(tenant, invoice.id, await anyPdf()))).toBe('422 invoice_not_finalizing');
  });

  it('are refused for a reason that is named, and nothing has changed', async () => {
    const tenant = await world.tenant({ settings: ownRendering() });
    const { id } = await finalized(tenant);
    const script = (pdf: PDFDocument): void => {
      pdf.catalog.set(
        PDFName.of('OpenAction'),
        pdf.context.obj({ Type: 'Action', S: 'JavaScript', JS: PDFString.of('app.alert(1)') }),
      );
    };
    // Opened with the document, from wherever the name leads: another computer learns who reads it.
    const opener = (pdf: PDFDocument): void => {
      const action = { Type: 'Action', S: 'GoToR', F: PDFString.of('//files.example.com/a.pdf'), D: [0, 'Fit'] };
      pdf.catalog.set(PDFName.of('OpenAction'), pdf.context.obj(action));
    };
    const other = await anyPdf((pdf) => void pdf.attach(Buffer.from('<a/>'), 'factur-x.xml', {}));
    const encrypted = Buffer.from(
      Buffer.from(await anyPdf())
        .toString('latin1')
        .replace(/\/Size (\d+)/, '/Encrypt << /Filter /Standard /V 1 /R 2 /O (a) /U (b) /P -4 >>\n/Size $1'),
      'latin1',
    );
    const signed = await anyPdf((pdf) => void pdf.context.register(pdf.context.obj({ Type: 'Sig', Contents: 'a' })));
    const huge = Buffer.concat([await anyPdf(), Buffer.alloc(20 * 1024 * 1024)]);
    const cases: [string, string | Uint8Array, string][] = [
      ['no_pdf', 'Hello', '422 pdf_refused'],
      ['no_pdf', '', '422 pdf_refused'],
      ['no_pages', '%PDF-1.7\nnothing follows', '422 pdf_refused'],
      ['no_pages', await anyPdf(undefined, 0).then((b) => Buffer.from(b)), '422 pdf_refused'],
      ['encrypted', encrypted, '422 pdf_refused'],
      ['too_many_pages', await anyPdf(undefined, 1000), '422 pdf_refused'],
      ['active_content', await anyPdf(script), '422 pdf_refused'],
      ['active_content', await anyPdf(opener), '422 pdf_refused'],
      ['signed', signed, '422 pdf_refused'],
      ['other_e_invoice', other, '422 pdf_refused'],
      ['', huge, '413 payload_too_large'],
    ];
    for (const [code, file, reason] of cases) {
      const answer = await upload(tenant, id, file);
      const { violations } = answer.body as { violations?: { code: string }[] };
      expect([code, reasonOf(answer), violations?.[0]?.code ?? '']).toEqual([code, reason, code]);
    }
    expect(reasonOf(await tenant.send('POST', `/api/invoices/${id}/pdf`, {}))).toBe('415 unsupported_media_type');
    const foreign = await world.tenant({ settings: ownRendering() });
    expect(reasonOf(await upload(foreign, id, await anyPdf()))).toBe('404 not_found');
    const draft = await tenant.draft((await tenant.customer()).id);
    expect(reasonOf(await upload(tenant, draft.id, await anyPdf()))).toBe('422 invoice_not_finalizing');
    const plain = await world.tenant({ plan: 'standard' });
    expect(reasonOf(await upload(plain, id, await anyPdf()))).toBe('403 feature_not_enabled');
    expect(await status(tenant, id)).toBe('STATUS_FINALIZING');
    // Two at once: one of them is the file.
    const answers = await Promise.all([1, 2].map(async () => upload(tenant, id, await anyPdf())));
    expect(answers.map(reasonOf).sort()).toEqual(['200 undefined', '422 invoice_not_finalizing']);
  });

  it('are kept as they are without an e-invoice, or with the very one inside', async () => {
    const tenant = await world.tenant({ settings: ownRendering() });
    const invoice = await finalized(tenant);
    const xml = await tenant.send('GET', `/invoices/${invoice.id}/xml`);
    const file = await anyPdf((pdf) => void pdf.attach(Buffer.from(xml.body as string), 'factur-x.xml', {}));
    const answer = await upload(tenant, invoice.id, file);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await bytesOf(fileIdOf(answer))).equals(file)).toBe(true);

    await tenant.settings(ownRendering({ embedXml: false }));
    const plain = await finalized(tenant);
    expect(reasonOf(await upload(tenant, plain.id, file))).toBe('422 pdf_refused');
    const signed = await anyPdf((pdf) => void pdf.context.register(pdf.context.obj({ Type: 'Sig', Contents: 'a' })));
    const second = await upload(tenant, plain.id, signed);
    expect(second.status).toBe(200);
    expect(Buffer.from(await bytesOf(fileIdOf(second))).equals(signed)).toBe(true);
  });

  it('of documents over nothing and of corrections: money is not kept waiting by a file', async () => {
    const tenant = await world.tenant({ settings: ownRendering() });
    const free = await finalized(tenant, position({ unitPrice: { amount: 0, currencyCode: 'EUR' } }));
    expect(free).toMatchObject({ status: 'STATUS_FINALIZING', file: null });
    expect((await upload(tenant, free.id, await anyPdf())).body).toMatchObject({ status: 'STATUS_PAID' });
    expect((await tenant.notices(free.id)).at(-1)).toEqual({ type: 'invoice.finalized', status: 'STATUS_PAID' });

    const invoice = await finalized(tenant);
    expect((await upload(tenant, invoice.id, await anyPdf())).status).toBe(200);
    const cancellation = await tenant.ok('POST', `/invoices/${invoice.id}/cancel`, { reason: 'incorrect' });
    expect(cancellation).toMatchObject({ type: 'TYPE_CANCEL', status: 'STATUS_FINALIZING', file: null });
    await eventually(
      async () =>
        (
          await world.test.peek('SELECT 1 FROM awaited_pdf WHERE invoice_id = $1 AND reported IS NOT NULL', [
            cancellation.id,
          ])
        ).length === 1,
      'the report of payments',
    );
    expect(await status(tenant, cancellation.id)).toBe('STATUS_FINALIZING');
    expect((await upload(tenant, cancellation.id, await anyPdf())).body).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(-11900),
    });
  });

  it('come from here when their time is over, unless the tenant wants an alarm', async () => {
    const tenant = await world.tenant({ settings: ownRendering() });
    const late = await finalized(tenant);
    await timeOut(tenant, late.id);
    await eventually(async () => (await status(tenant, late.id)) === 'STATUS_UNPAID', 'our own renderer');
    expect((await tenant.send('GET', `/invoices/${late.id}/pdf`)).status).toBe(200);
    expect(reasonOf(await upload(tenant, late.id, await anyPdf()))).toBe('422 invoice_not_finalizing');

    await tenant.settings(ownRendering({ fallback: false }));
    const waiting = await finalized(tenant);
    const alarms = async (): Promise<number> =>
      (await tenant.notices(waiting.id)).filter(({ type }) => type === 'invoice.pdf.generation_timed_out').length;
    await timeOut(tenant, waiting.id);
    await eventually(async () => (await alarms()) === 1, 'the alarm');
    expect(await status(tenant, waiting.id)).toBe('STATUS_FINALIZING');
    // Who changes his mind gets the document at the next look.
    await tenant.settings(ownRendering());
    await timeOut(tenant, waiting.id);
    await eventually(async () => (await status(tenant, waiting.id)) === 'STATUS_UNPAID', 'our own renderer');
    expect(await alarms()).toBe(1);
  });

  it('are not asked for outside the enterprise plan, whatever was set', async () => {
    const tenant = await world.tenant({ settings: ownRendering(), plan: 'standard' });
    expect(await finalized(tenant)).toMatchObject({ status: 'STATUS_UNPAID', file: { mimeType: 'application/pdf' } });
  });
});

describe('the e-invoice in a PDF of another system', () => {
  const xml = embeddedXml(new TextEncoder().encode('<rsm:Invoice/>'), false);

  it('leaves PDF/A what it is, and says of other files nothing that is not so', async () => {
    const archived = await render(sampleSnapshot(2));
    const into = await receivePdf(archived, xml, '2026-03-01');
    expect([into.embedded, into.pdfaPart]).toEqual([true, '3']);
    expect(Buffer.from(await xmlInPdf(into.bytes)).toString()).toBe('<rsm:Invoice/>');
    const plain = await receivePdf(await anyPdf(), xml, '2026-03-01');
    expect([plain.embedded, plain.pdfaPart]).toEqual([true, null]);
    expect(await receivePdf(archived, xml, '2026-03-01')).toEqual(into);
    expect(pdfaPartOf("<rdf:Description pdfaid:part='2'/>")).toBe('2');
  });

  it('is put into none that becomes far larger by it, as one whose objects are packed can', async () => {
    const text = 'x'.repeat(42 * 1024 * 1024);
    const large = await anyPdf((pdf) => pdf.context.register(pdf.context.stream(text)));
    await expect(receivePdf(large, xml, '2026-03-01')).rejects.toMatchObject({ fault: 'unreadable' });
  });

  it('stands beside what is attached already', async () => {
    const file = await anyPdf((pdf) => {
      pdf.attach(Buffer.from('a'), 'zeiten.csv', {});
      pdf.attach(Buffer.from('b'), 'agb.txt', {});
    });
    const { bytes } = await receivePdf(file, xml, '2026-03-01');
    const pdf = await PDFDocument.load(bytes);
    const names = String(pdf.catalog.lookup(PDFName.of('Names')));
    expect(names).toContain('EmbeddedFiles');
    expect(Buffer.from(await xmlInPdf(bytes)).toString()).toBe('<rsm:Invoice/>');
  });
});
