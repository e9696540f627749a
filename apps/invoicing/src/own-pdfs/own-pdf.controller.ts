import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';
import { INVOICE_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { readForm } from '../uploads/read-form.js';
import { AcceptPdf } from './accept-pdf.js';
import { MAX_PAGES } from './pdf-refused.js';

const pdfFormSchema = Type.Object(
  {
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      description: `The document as PDF: at most 20 MiB and ${MAX_PAGES} pages, not encrypted, without scripts.`,
    }),
  },
  { additionalProperties: false },
);

/** PDFs of documents that the tenant's own system renders. */
@Controller('api/invoices')
export class OwnPdfController {
  constructor(private readonly acceptPdf: AcceptPdf) {}

  @Post(':id/pdf')
  @HttpCode(200)
  @Operation({
    id: 'uploadInvoicePdf',
    summary: "Upload the PDF of a document that the tenant's own system has rendered",
    description:
      'For documents that are STATUS_FINALIZING because `customPdfRendering` is switched on and that ' +
      '`invoice.pdf.generation_requested` has announced. The e-invoice is put into the PDF when `embedXml` is on; it stays as it is when ' +
      'that very XML is inside already. Finalization goes on: the payment intent is opened, `invoice.finalized` follows.',
    tag: 'Invoices',
    permission: 'invoice:write',
    success: 200,
    response: invoiceSchema,
    rawBody: true,
    requestBody: pdfFormSchema,
    requestType: 'multipart/form-data',
    errors: {
      403: '`feature_not_enabled`: not on the enterprise plan',
      413: 'The file is larger than 20 MiB.',
      415: 'Not a form.',
      422:
        '`invoice_not_finalizing`: no PDF is waited for; `pdf_refused`: `violations[].code` is `no_pdf`, `unreadable`, `encrypted`, ' +
        '`no_pages`, `too_many_pages`, `active_content`, `signed` or `other_e_invoice`',
    },
    examples: { response: INVOICE_EXAMPLE },
  })
  upload(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @Body() body: unknown,
    @Headers('content-type') contentType = '',
  ) {
    return this.acceptPdf.execute(caller.tenantId, id, () => readForm(body, contentType));
  }
}
