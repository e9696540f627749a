import { DomainError, newUuid, validationFailed } from '@kontor/kernel';
import type { TenantState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { isValidBIC, isValidIBAN } from 'ibantools';
import type { CreateBankAccountDto } from '../bank.dto.js';
import { type BankAccount, bankAccounts } from './bank-account.row.js';
import { representAccount } from './represent-account.js';
import type { BankAccountView } from './bank-account.schema.js';

/** An account of the tenant whose statements are imported. */
@Injectable()
export class CreateBankAccount {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** @throws DomainError `validation_failed` (iban, bic), `already_exists` (the same IBAN in the same currency) */
  execute(tenantId: string, dto: CreateBankAccountDto): Promise<BankAccountView> {
    const iban = dto.iban.replace(/[\s-]/g, '').toUpperCase();
    if (!isValidIBAN(iban))
      throw validationFailed(
        'iban',
        'The IBAN is not valid: its length or its check digits are wrong.',
        'invalid_iban',
      );
    const bic = dto.bic?.replace(/\s/g, '').toUpperCase() ?? null;
    if (bic !== null && !isValidBIC(bic)) throw validationFailed('bic', 'The BIC is not valid.', 'invalid_bic');
    return this.database.tenant(tenantId, async (tx) => {
      const tenant = dto.currencyCode ? null : await this.replicas.get<TenantState>(tx, 'tenant', tenantId);
      const account: BankAccount = {
        id: newUuid(),
        name: dto.name ?? null,
        iban,
        bic,
        currencyCode: dto.currencyCode ?? tenant?.currencyCode ?? 'EUR',
        accountIdentifications: [...new Set(dto.accountIdentifications?.map((named) => named.trim()))],
        createdAt: tx.now,
      };
      const [created] = await bankAccounts.insertMissing(tx, account);
      if (!created)
        throw new DomainError('already_exists', {
          detail: 'There is a bank account with this IBAN and currency.',
          violations: [
            { propertyPath: 'iban', message: 'There is a bank account with this IBAN.', code: 'already_exists' },
          ],
        });
      return representAccount(created);
    });
  }
}
