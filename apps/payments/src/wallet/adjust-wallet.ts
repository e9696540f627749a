import type { CustomerState } from '@kontor/contracts';
import { unknownReference, validationFailed } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { adjustWallet, type CreditTerms } from '../domain/credit.js';
import { representWalletTransaction } from './represent-wallet.js';
import { readAmount } from './read-amount.js';
import type { AdjustWalletDto } from './wallet.dto.js';
import { requireWallet } from './wallet-feature.js';

/** Gives a customer credit by hand, or takes it. */
@Injectable()
export class AdjustWallet {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `feature_not_enabled`, `validation_failed` (amount, expiry), `unknown_reference` (customer), `insufficient_credit`. */
  execute(tenantId: string, dto: AdjustWalletDto) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const amountMinor = readAmount('amount', dto.amount, dto.currencyCode);
      if (!(await this.replicas.get<CustomerState>(tx, 'customer', dto.customerId))) throw unknownReference('customerId', 'customer');
      const customerIds = [dto.customerId];
      await lockCustomers(tx, customerIds);
      const books = await loadBooks(this.replicas, tx, { customerIds, crediting: customerIds });
      const line = adjustWallet(books, {
        customerId: dto.customerId,
        currencyCode: dto.currencyCode,
        amountMinor,
        description: dto.description,
        ...termsOf(dto, amountMinor, tx.now),
      });
      await saveBooks(tx, books);
      return representWalletTransaction(line, null);
    });
  }
}

function termsOf(dto: AdjustWalletDto, amountMinor: bigint, now: Date): CreditTerms {
  const expiresAt = dto.expiresAt ? new Date(dto.expiresAt) : null;
  const promotional = dto.promotional ?? false;
  if (amountMinor < 0n && (promotional || expiresAt))
    throw validationFailed(promotional ? 'promotional' : 'expiresAt', 'Only credit that is given has terms.', 'not_applicable');
  if (expiresAt && expiresAt <= now) throw validationFailed('expiresAt', 'The credit would have ended already.', 'date_in_past');
  return { promotional, expiresAt };
}
