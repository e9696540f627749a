import { Module } from '@nestjs/common';
import { CustomerBooksModule } from '../customer-books/customer-books.module.js';
import { ReturnsModule } from '../returns/returns.module.js';
import { SepaModule } from '../sepa/sepa.module.js';
import { AcceptSuggestions } from './assignment/accept-suggestions.js';
import { AssignInvoices } from './assignment/assign-invoices.js';
import { BankAccountsController } from './accounts/bank-accounts.controller.js';
import { BankTransactionsController } from './bank-transactions.controller.js';
import { BookReturnedPayouts } from './matching/book-returned-payouts.js';
import { BookReturns } from './matching/book-returns.js';
import { CreateBankAccount } from './accounts/create-bank-account.js';
import { IgnoreLines } from './assignment/ignore-lines.js';
import { ImportLines } from './import/import-lines.js';
import { KnownInvoices } from './assignment/known-invoices.js';
import { MatchDue } from './matching/match-due.js';
import { MatchLines } from './matching/match-lines.js';
import { OnCustomerNamed } from './matching/on-customer-named.js';
import { ReadAccounts } from './accounts/read-accounts.js';
import { ReadLines } from './lines/read-lines.js';
import { RevertPayout } from './assignment/revert-payout.js';
import { Unassign } from './assignment/unassign.js';

/** What the bank says: statements, what their lines are for, and what people decide about them. */
@Module({
  imports: [CustomerBooksModule, ReturnsModule, SepaModule],
  controllers: [BankAccountsController, BankTransactionsController, OnCustomerNamed],
  providers: [
    CreateBankAccount,
    ReadAccounts,
    ReadLines,
    ImportLines,
    MatchLines,
    MatchDue,
    BookReturns,
    BookReturnedPayouts,
    KnownInvoices,
    AssignInvoices,
    AcceptSuggestions,
    IgnoreLines,
    Unassign,
    RevertPayout,
  ],
})
export class BankModule {}
