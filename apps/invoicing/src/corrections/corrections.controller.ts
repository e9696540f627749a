import { Body, Controller, Post, Put } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { exampleId, type Principal } from '@kontor/contracts';
import { CANCELLATION_EXAMPLE, CREDIT_EXAMPLE, INVOICE_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { CancelInvoice } from './cancel-invoice.js';
import { CloseInvoice } from './close-invoice.js';
import { CancelInvoiceDto, CloseInvoiceDto, CreditInvoiceDto } from './correction.dto.js';
import { CreditInvoice } from './credit-invoice.js';

const tag = 'Invoices';
const permission = 'invoice:write';
const WALLET = '`feature_not_enabled`: `wallet` needs the feature WalletTopUp';

/** What takes a finalized invoice back, all of it or parts. */
@Controller('invoices/:id')
export class CorrectionsController {
  constructor(
    private readonly cancelInvoice: CancelInvoice,
    private readonly creditInvoice: CreditInvoice,
    private readonly closeInvoice: CloseInvoice,
  ) {}

  @Post('cancel')
  @Operation({
    id: 'cancelInvoice',
    summary: 'Cancel an invoice or a credit note',
    description:
      'Makes a document of type TYPE_CANCEL with a number of its own series that takes back, line by line, what no ' +
      'credit note or refund has taken back before: together they are zero. The invoice is STATUS_CANCELLED, nothing of ' +
      'it is open, and `cancellationDocument` names the document. Wallet credit that paid it comes back; money that paid ' +
      'it goes where `disposition` says. Unpaid and paid invoices can be cancelled, once. So can a credit note (without ' +
      '`disposition`) while its invoices are unpaid or paid: what it took off invoices is open again, what is left of it ' +
      'in the wallet goes, and what was paid out or used since is owed by the document. Answers the document.',
    tag,
    permission,
    success: 201,
    response: invoiceSchema,
    examples: {
      request: { reason: 'incorrect', comment: 'Wrong price', disposition: 'wallet' } satisfies CancelInvoiceDto,
      response: CANCELLATION_EXAMPLE,
    },
    errors: {
      403: WALLET,
      422:
        '`invalid_status_transition`; `invalid_document_type`: neither an invoice nor a credit note; ' +
        '`charge_credited`: an invoice that stands, or a credit note that is about several or charges something, too, credits a part of it and is ' +
        'cancelled first; ' +
        '`credit_exceeds_rest`: nothing is left of it; `validation_failed`',
    },
  })
  cancel(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: CancelInvoiceDto) {
    return this.cancelInvoice.execute(caller.tenantId, id, { ...correctionOf(dto), reason: dto.reason ?? null });
  }

  @Post('credit')
  @Operation({
    id: 'creditInvoice',
    summary: 'Credit an invoice, or parts of it',
    description:
      'Makes a document of type TYPE_CREDIT over all that is left of the invoice, or over a quantity or an amount of ' +
      'some positions; never more than what is left of each. It first lowers what is open of the invoice; what was paid ' +
      'goes where `disposition` says. Tax is taken back as it was charged. Answers the credit note.',
    tag,
    permission,
    success: 201,
    response: invoiceSchema,
    examples: {
      request: {
        positions: [{ id: exampleId(21), quantity: '1' }],
        reason: 'order_change',
        disposition: 'refund',
      } satisfies CreditInvoiceDto,
      response: CREDIT_EXAMPLE,
    },
    errors: {
      403: WALLET,
      422: '`credit_exceeds_rest`, `invalid_status_transition`, `invalid_document_type`, `unknown_reference`, `currency_mismatch`, `validation_failed`',
    },
  })
  credit(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: CreditInvoiceDto) {
    for (const { quantity, amount } of dto.positions ?? []) if (isGiven(quantity) && isGiven(amount)) throw bothGiven();
    return this.creditInvoice.execute(caller.tenantId, id, {
      ...correctionOf(dto),
      reason: dto.reason ?? null,
      positions: dto.positions ?? null,
    });
  }

  @Put('close')
  @Operation({
    id: 'closeInvoice',
    summary: 'Give up what is open of an invoice',
    description:
      'The invoice is STATUS_CLOSED and nothing of it is open. The open amount is written off in the ledger, its tax is ' +
      'corrected. A collection that waits for the payer is cancelled. Only unpaid invoices can be closed, and closed or ' +
      'cancelled ones of which something is open again, because a payment went back; what is cancelled stays so.',
    tag,
    permission,
    response: invoiceSchema,
    examples: {
      request: { reason: 'insolvent' } satisfies CloseInvoiceDto,
      response: {
        ...INVOICE_EXAMPLE,
        status: 'STATUS_CLOSED',
        unpaidAmount: { amount: 0, currencyCode: 'EUR' },
      },
    },
    errors: {
      409: '`payment_in_progress`: the outcome of a payment that is being recorded is not known yet',
      422: '`invalid_status_transition`, `invalid_document_type`',
    },
  })
  close(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: CloseInvoiceDto) {
    return this.closeInvoice.execute(caller.tenantId, id, dto.reason ?? null);
  }
}

const correctionOf = ({ comment, disposition, sendEmail }: CancelInvoiceDto | CreditInvoiceDto) => ({
  comment: comment ?? null,
  disposition: disposition ?? null,
  mailed: sendEmail !== false,
});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const bothGiven = (): DomainError =>
  new DomainError('validation_failed', {
    detail: 'A position is credited by quantity or by amount, not by both.',
    violations: [{ propertyPath: 'positions', message: 'quantity and amount exclude each other.', code: 'exclusive' }],
  });
