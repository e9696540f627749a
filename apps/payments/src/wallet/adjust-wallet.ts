import type { CustomerState } from '@kontor/contracts';
import { validationFailed } from '@kontor/kernel';
import {
  Database,
  type PartResult,
  Replicas,
  settledInTurn,
  SharedTransactions,
  type TenantTx,
} from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { requireCustomer } from '../customer-books/hold-customer.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import type { Books } from '../domain/customer-books/books.js';
import { adjustWallet } from '../domain/wallet/credit.js';
import type { CreditTerms } from '../domain/wallet/wallet-lines.js';
import { representWalletTransaction } from './represent-wallet.js';
import { readAmount } from './read-amount.js';
import type { AdjustWalletDto } from './wallet.dto.js';
import type { WalletTransactionView } from './wallet.schema.js';
import { requireWallet } from './wallet-feature.js';

interface Adjustment {
  readonly dto: AdjustWalletDto;
  /** Signed, not zero. */
  readonly amountMinor: bigint;
}

type Adjusted = WalletTransactionView;

/**
 * Gives a customer credit by hand, or deducts it. Adjustments by one caller that come at the same time share a transaction,
 * whatever wallets they touch: the locks, the commit and the events cost once per batch, and each request is answered and
 * refused by itself.
 */
@Injectable()
export class AdjustWallet {
  private readonly shared: SharedTransactions<Adjustment, Adjusted>;

  constructor(
    database: Database,
    private readonly replicas: Replicas,
    private readonly customerBooks: CustomerBooks,
  ) {
    this.shared = new SharedTransactions(database, (tx, adjustments) => this.adjust(tx, adjustments));
  }

  /**
   * @throws DomainError `feature_not_enabled`, `validation_failed` (amount, expiry), `unknown_reference` (customer), `customer_anonymized`,
   * `insufficient_credit`, `amount_out_of_range`.
   */
  async execute(tenantId: string, dto: AdjustWalletDto): Promise<Adjusted> {
    const amountMinor = readAmount('amount', dto.amount, dto.currencyCode);
    return this.shared.run(tenantId, requestContext()?.principal?.subjectId ?? '', { dto, amountMinor });
  }

  private async adjust(tx: TenantTx, adjustments: readonly Adjustment[]): Promise<PartResult<Adjusted>[]> {
    await requireWallet(this.replicas, tx);
    const customers = await this.replicas.holdMany<CustomerState>(
      tx,
      'customer',
      adjustments.map(({ dto }) => dto.customerId),
    );
    const customerIds = [...customers.keys()];
    await lockCustomers(tx, customerIds);
    const books = await this.customerBooks.load(tx, { customerIds, customers, crediting: customerIds });
    // A refusal comes before anything has changed, so the books stay good for the others.
    const results = await settledInTurn(adjustments, (adjustment) => {
      requireCustomer(customers.get(adjustment.dto.customerId));
      return adjustOne(books, adjustment);
    });
    if (books.operations.length > 0) await this.customerBooks.save(tx, books);
    return results;
  }
}

function adjustOne(books: Books, { dto, amountMinor }: Adjustment): Adjusted {
  const { customerId, currencyCode, description } = dto;
  const terms = termsOf(dto, amountMinor, books.now);
  return representWalletTransaction(
    adjustWallet(books, { customerId, currencyCode, amountMinor, description, ...terms }),
    null,
  );
}

function termsOf(dto: AdjustWalletDto, amountMinor: bigint, now: Date): CreditTerms {
  const expiresAt = dto.expiresAt ? new Date(dto.expiresAt) : null;
  const promotional = dto.promotional ?? false;
  if (amountMinor < 0n && (promotional || expiresAt))
    throw validationFailed(
      promotional ? 'promotional' : 'expiresAt',
      `${promotional ? 'promotional' : 'expiresAt'} must be left out when credit is deducted.`,
      'not_applicable',
    );
  if (expiresAt && expiresAt <= now)
    throw validationFailed('expiresAt', 'expiresAt must be in the future.', 'date_in_past');
  return { promotional, expiresAt };
}
