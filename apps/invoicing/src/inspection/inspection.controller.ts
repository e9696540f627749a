import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { inspectFile } from './inspect-file.js';
import { fileFormSchema, type InspectionJson, inspectionSchema } from './inspection.schema.js';
import { readForm } from '../uploads/read-form.js';

const HTML = 'text/html; charset=utf-8';

const EXAMPLE: InspectionJson = {
  valid: false,
  syntax: 'cii',
  profile: 'EN 16931',
  rules: 'en16931-2017',
  checkedRules: ['BR-01', 'BR-CO-16'],
  results: [
    {
      ruleId: 'BR-CO-16',
      severity: 'fatal',
      location: 'BT-115',
      message: 'The amount due is wrong: 0.07 instead of 119.00.',
      messages: {
        de: 'Der Zahlbetrag stimmt nicht: 0.07 statt 119.00.',
        en: 'The amount due is wrong: 0.07 instead of 119.00.',
      },
    },
  ],
  invoice: { number: 'RE-2026-00042', issueDate: '2026-02-28', typeCode: '380', currency: 'EUR' },
};

/** Invoices that others sent. */
@Controller('e-invoices')
export class InspectionController {
  @Post('validate')
  @HttpCode(200)
  @Operation({
    id: 'validateEInvoice',
    summary: "What anybody's e-invoice is, what is wrong with it, and what it says",
    description:
      'A form with the file in `file`: XML (CII or UBL), or a PDF with one inside. Answers syntax and profile, what the rules that are ' +
      'checked here find, and the invoice by the terms of EN 16931; with `Accept: text/html` a page to read. Checked are the rules ' +
      'in `checkedRules`, not all of the official ones: a file without findings may still be refused by a full validator. Nothing is stored.',
    tag: 'E-invoices',
    permission: 'invoice:read',
    success: 200,
    response: inspectionSchema,
    alternatives: { 'text/html': { type: 'string' } },
    rawBody: true,
    requestBody: fileFormSchema,
    requestType: 'multipart/form-data',
    changesNothing: true,
    errors: { 413: 'The file is larger than 20 MiB.', 415: 'Not a form.', 422: '`file_unreadable`' },
    examples: { response: EXAMPLE },
  })
  async validate(
    @Caller() caller: Principal,
    @Body() body: unknown,
    @Headers('content-type') contentType = '',
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    const isPage = accept?.includes('text/html') ?? false;
    const written = await inspectFile(caller.tenantId, { bytes: readForm(body, contentType), isPage });
    void reply.status(200).header('cache-control', 'private, no-store');
    if (isPage)
      void reply
        .header('content-type', HTML)
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    else void reply.header('content-type', 'application/json; charset=utf-8');
    await reply.send(written);
  }
}
