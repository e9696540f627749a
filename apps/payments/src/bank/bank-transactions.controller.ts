import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, Headers, Post, Put } from '@nestjs/common';
import { BANK_STATUSES } from '../domain/bank/bank-transaction.js';
import { AcceptSuggestions } from './assignment/accept-suggestions.js';
import { AssignInvoices } from './assignment/assign-invoices.js';
import {
  ASSIGN_SCHEMA,
  ASSIGNMENT_RESULT_SCHEMA,
  BANK_TRANSACTIONS_SCHEMA,
  DISPOSE_SCHEMA,
  IMPORT_FORM_SCHEMA,
  IMPORT_RESULT_SCHEMA,
  TRANSACTION_IDS_SCHEMA,
} from './bank.schema.js';
import { IgnoreLines } from './assignment/ignore-lines.js';
import { ImportLines } from './import/import-lines.js';
import { readAssignment, readTransactionIds } from './assignment/read-assignment.js';
import { readImport } from './import/read-import.js';
import { ReadLines } from './lines/read-lines.js';
import { Unassign } from './assignment/unassign.js';
import { BANK_TRANSACTION_SCHEMA } from './lines/bank-transaction.schema.js';

const tag = 'Bank';
const read = 'bank-account-transaction:read';
const write = 'bank-account-transaction:write';
const refusals =
  '`validation_failed`, `unknown_reference`, `return_transaction`, `transaction_not_assignable`, `invoice_not_payable`';

@Controller(['payment/bank-account-transactions', 'api/payment/bank-account-transactions'])
export class BankTransactionsController {
  constructor(
    private readonly imports: ImportLines,
    private readonly reads: ReadLines,
    private readonly assigning: AssignInvoices,
    private readonly unassigning: Unassign,
    private readonly accepting: AcceptSuggestions,
    private readonly ignoring: IgnoreLines,
  ) {}

  @Post('import')
  @Operation({
    id: 'importBankTransactions',
    summary: 'Import a bank statement',
    tag,
    permission: write,
    response: IMPORT_RESULT_SCHEMA,
    rawBody: true,
    requestBody: IMPORT_FORM_SCHEMA,
    requestType: 'multipart/form-data',
    description:
      'A form with the statement in `file` (CAMT.053 in the versions .02 to .08, MT940, or a ZIP of them) and ' +
      '`bankAccountId`; or JSON: ' +
      '`{bankAccountId, transactions: [{reference, bookingDate, valueDate, amount: "119.00", currencyCode, ' +
      'counterpartyName, counterpartyIban, remittanceInformation, endToEndId, isReturn}]}`. ' +
      'Each booking is accepted once, whatever file it comes in. Bookings with wrong values are listed in `errors`; ' +
      'the others are accepted, matched and, where that is certain, booked.',
    errors: {
      413: 'The file is larger than 20 MiB.',
      415: 'Neither a form nor JSON.',
      422: '`statement_unreadable`, `account_mismatch`, `unknown_reference`, `validation_failed`',
    },
  })
  async import(@Caller() caller: Principal, @Body() body: unknown, @Headers('content-type') contentType = '') {
    const wanted = await readImport(caller.tenantId, body, contentType);
    return this.imports.execute(caller.tenantId, wanted);
  }

  @Get()
  @Operation({
    id: 'listBankTransactions',
    summary: 'List bank transactions, newest first',
    description:
      '`search` looks for parts of words in name, remittance information, end-to-end id and reference. `amount`, `minAmount` and `maxAmount` are ' +
      'decimals in major units of the currency, with their sign: money that came in is positive.',
    tag,
    permission: read,
    response: BANK_TRANSACTION_SCHEMA,
  })
  list(
    @Caller() caller: Principal,
    @List({
      filters: {
        status: BANK_STATUSES,
        bankAccountId: 'uuid',
        counterpartyIban: 'text',
        endToEndId: 'text',
        reference: 'text',
        currencyCode: 'text',
        isReturn: 'boolean',
        amount: 'amount',
      },
      others: { minAmount: 'amount', maxAmount: 'amount' },
      ranges: ['bookingDate', 'valueDate'],
      order: ['bookingDate'],
      search: true,
    })
    list: ListQuery,
  ) {
    return this.reads.list(caller.tenantId, list);
  }

  @Get(':id')
  @Operation({
    id: 'getBankTransaction',
    summary: 'Get a bank transaction',
    tag,
    permission: read,
    response: BANK_TRANSACTION_SCHEMA,
  })
  get(@Caller() caller: Principal, @IdParam('id') id: string) {
    return this.reads.line(caller.tenantId, id);
  }

  @Put('accept-suggestions')
  @Operation({
    id: 'acceptBankSuggestions',
    summary: 'Accept the best suggestion of each transaction',
    tag,
    permission: write,
    response: BANK_TRANSACTIONS_SCHEMA,
    requestBody: TRANSACTION_IDS_SCHEMA,
    description:
      'For each transaction its best suggestion, all of them or none. One with `confirmsTransactionId` links the ' +
      'line to the payment that was recorded by hand and books nothing twice.',
    errors: {
      422: '`unknown_reference`, `transaction_not_assignable`, `no_suggestion`, `ambiguous_suggestion`, `invoice_not_payable`',
    },
  })
  accept(@Caller() caller: Principal, @Body() body: unknown) {
    return this.accepting.execute(caller.tenantId, readTransactionIds(body));
  }

  @Put('ignore')
  @Operation({
    id: 'ignoreBankTransactions',
    summary: 'Ignore transactions that are about no invoice',
    tag,
    permission: write,
    response: BANK_TRANSACTIONS_SCHEMA,
    requestBody: TRANSACTION_IDS_SCHEMA,
    errors: { 422: '`unknown_reference`, `invalid_status_transition`' },
  })
  ignore(@Caller() caller: Principal, @Body() body: unknown) {
    return this.ignoring.execute(caller.tenantId, readTransactionIds(body));
  }

  @Put(':id/assign')
  @Operation({
    id: 'assignBankTransaction',
    summary: 'Assign a bank transaction to invoices',
    tag,
    permission: write,
    response: ASSIGNMENT_RESULT_SCHEMA,
    requestBody: ASSIGN_SCHEMA,
    errors: { 422: refusals },
  })
  assign(@Caller() caller: Principal, @IdParam('id') id: string, @Body() body: unknown) {
    return this.assigning.execute(caller.tenantId, id, () => readAssignment(body, 'open'));
  }

  @Post(':id/assign-with-disposition')
  @Operation({
    id: 'assignBankTransactionWithDisposition',
    summary: 'Assign a bank transaction to invoices and dispose of the remainder',
    tag,
    permission: write,
    success: 200,
    response: ASSIGNMENT_RESULT_SCHEMA,
    requestBody: DISPOSE_SCHEMA,
    errors: {
      403: '`permission_denied`; `feature_not_enabled`: credit needs the feature `WalletTopUp`',
      422:
        `${refusals}, \`assignment_amounts_with_wallet_disposition\`, \`payout_not_available\`, ` +
        '`non_positive_transaction`, `multiple_customers`, `no_single_payment_intent`',
    },
  })
  dispose(@Caller() caller: Principal, @IdParam('id') id: string, @Body() body: unknown) {
    return this.assigning.execute(caller.tenantId, id, () => readAssignment(body));
  }

  @Delete(':id/assignments/:assignmentId')
  @Operation({
    id: 'unassignBankTransaction',
    summary: 'Take an assignment back',
    tag,
    permission: write,
    success: 204,
    description:
      'The invoice is open again. A recorded payment that the transaction had confirmed stays; the two are no ' +
      'longer linked.',
    errors: { 422: '`return_transaction`, `transaction_not_assignable`, `invalid_status_transition`' },
  })
  unassign(@Caller() caller: Principal, @IdParam('id') id: string, @IdParam('assignmentId') assignmentId: string) {
    return this.unassigning.execute(caller.tenantId, id, assignmentId);
  }
}
