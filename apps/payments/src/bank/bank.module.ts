import { Module } from '@nestjs/common';
import { PaymentsModule } from '../payments.module.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { AcceptSuggestions } from './accept-suggestions.js';
import { AssignInvoices } from './assign-invoices.js';
import { BankAccountsController } from './bank-accounts.controller.js';
import { BankTransactionsController } from './bank-transactions.controller.js';
import { BookReturns } from './book-returns.js';
import { CreateBankAccount } from './create-bank-account.js';
import { IgnoreLines } from './ignore-lines.js';
import { ImportLines } from './import-lines.js';
import { KnownInvoices } from './known-invoices.js';
import { MatchDue } from './match-due.js';
import { MatchLines } from './match-lines.js';
import { OnCustomerNamed } from './on-customer-named.js';
import { ReadBank } from './read-lines.js';
import { RevertPayout } from './revert-payout.js';
import { Unassign } from './unassign.js';

/** What the bank says: statements, what their lines are for, and what people decide about them. */
@Module({
  imports: [PaymentsModule, SepaModule],
  controllers: [BankAccountsController, BankTransactionsController, OnCustomerNamed],
  providers: [
    CreateBankAccount,
    ReadBank,
    ImportLines,
    MatchLines,
    MatchDue,
    BookReturns,
    KnownInvoices,
    AssignInvoices,
    AcceptSuggestions,
    IgnoreLines,
    Unassign,
    RevertPayout,
  ],
})
export class BankModule {}
