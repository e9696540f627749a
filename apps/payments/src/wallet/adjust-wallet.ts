import type { CustomerState } from '@kontor/contracts';
import { unknownReference, validationFailed } from '@kontor/kernel';
import { parseMajor } from '@kontor/money';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadBooks } from '../db/load-books.js';
import { lockCustomers } from '../db/lock-customers.js';
import { saveBooks } from '../db/save-books.js';
import { adjustWallet } from '../domain/credit.js';
import { representWalletTransaction } from './represent-wallet.js';
import type { AdjustWalletDto } from './wallet.dto.js';
import { requireWallet } from './wallet-feature.js';

/** Gives a customer credit by hand, or takes it. */
@Injectable()
export class AdjustWallet {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `feature_not_enabled`, `validation_failed` (amount), `unknown_reference` (customer), `insufficient_credit`. */
  execute(tenantId: string, dto: AdjustWalletDto) {
    return this.database.tenant(tenantId, async (tx) => {
      await requireWallet(this.replicas, tx);
      const amountMinor = readAmount(dto);
      if (!(await this.replicas.get<CustomerState>(tx, 'customer', dto.customerId))) throw unknownReference('customerId', 'customer');
      const customerIds = [dto.customerId];
      await lockCustomers(tx, customerIds);
      const books = await loadBooks(this.replicas, tx, { customerIds, crediting: customerIds });
      const line = adjustWallet(books, {
        customerId: dto.customerId,
        currencyCode: dto.currencyCode,
        amountMinor,
        description: dto.description,
      });
      await saveBooks(tx, books);
      return representWalletTransaction(line, null);
    });
  }
}

function readAmount(dto: AdjustWalletDto): bigint {
  const amount = parseMajor(dto.amount, dto.currencyCode);
  if (!amount) throw validationFailed('amount', `The amount has more decimals than ${dto.currencyCode} allows.`, 'too_many_decimals');
  if (amount.amountMinor === 0n) throw validationFailed('amount', 'The amount is zero.', 'zero_amount');
  const size = amount.amountMinor < 0n ? -amount.amountMinor : amount.amountMinor;
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw validationFailed('amount', 'The amount is too large.', 'out_of_range');
  return amount.amountMinor;
}
