import type { Principal } from '@kontor/contracts';
import { Caller, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { CreateBankAccountDto } from '../bank.dto.js';

import { CreateBankAccount } from './create-bank-account.js';
import { ReadAccounts } from './read-accounts.js';
import { BANK_ACCOUNT_SCHEMA } from './bank-account.schema.js';

const tag = 'Bank';

@Controller(['bank-accounts', 'api/bank-accounts'])
export class BankAccountsController {
  constructor(
    private readonly create: CreateBankAccount,
    private readonly read: ReadAccounts,
  ) {}

  @Post()
  @Operation({
    id: 'createBankAccount',
    summary: 'Add a bank account',
    tag,
    permission: 'bank-account-transaction:write',
    response: BANK_ACCOUNT_SCHEMA,
  })
  add(@Caller() caller: Principal, @Body() dto: CreateBankAccountDto) {
    return this.create.execute(caller.tenantId, dto);
  }

  @Get()
  @Operation({
    id: 'listBankAccounts',
    summary: 'List bank accounts',
    tag,
    permission: 'bank-account-transaction:read',
    response: BANK_ACCOUNT_SCHEMA,
  })
  list(@Caller() caller: Principal, @List({}) list: ListQuery) {
    return this.read.list(caller.tenantId, list);
  }
}
