import { Body, Controller, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Describe, IdParam, Operation, OptionalField } from '@kontor/service-kit';
import { IsIn } from 'class-validator';
import { type CustomerJson, customerSchema } from '../customers/customer.schema.js';
import { SuspendCustomer } from './suspend-customer.js';
import { ArchiveCustomer, RUNNING_SUBSCRIPTIONS, type RunningSubscriptions } from './archive-customer.js';

const tag = 'Customers';

/** Body of `PUT /customers/{id}/archive`. */
export class ArchiveCustomerDto {
  @OptionalField()
  @IsIn(RUNNING_SUBSCRIPTIONS)
  @Describe(
    'What happens to active and paused subscriptions that nobody has cancelled. `refuse`, when absent: the customer is not archived; ' +
      '`cancel_next_possible`: each ends with its contract; `cancel_immediate`: all end now, unused time is credited.',
  )
  runningSubscriptions?: RunningSubscriptions | null;
}

@Controller('customers')
export class ArchivingController {
  constructor(
    private readonly customers: ArchiveCustomer,
    private readonly suspension: SuspendCustomer,
  ) {}

  @Put(':id/archive')
  @Operation({
    id: 'archiveCustomer',
    summary: 'Archive a customer',
    description:
      'An archived customer gets no new subscription or invoice. While subscriptions run it is refused with `customer_in_use`, unless ' +
      '`runningSubscriptions` says how they are cancelled; what these owe or get back until they end is still billed.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
    examples: { request: { runningSubscriptions: 'cancel_next_possible' } },
  })
  archive(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Body() body: ArchiveCustomerDto,
  ): Promise<CustomerJson> {
    return this.customers.archive(tenantId, id, body.runningSubscriptions ?? 'refuse');
  }

  @Put(':id/unarchive')
  @Operation({
    id: 'unarchiveCustomer',
    summary: 'Take a customer out of the archive',
    description: 'It can have new subscriptions and invoices again; what was cancelled stays so.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  unarchive(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<CustomerJson> {
    return this.customers.unarchive(tenantId, id);
  }

  @Put(':id/suspend')
  @Operation({
    id: 'suspendCustomer',
    summary: 'Suspend a customer',
    description:
      'Meanwhile it gets no new subscription (422 `customer_suspended`), and its entitlements are `disabled`. What runs goes on and is ' +
      'billed. An archived customer is 422 `invalid_status_transition`; repeating it changes nothing.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  suspend(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<CustomerJson> {
    return this.suspension.execute(tenantId, id, true);
  }

  @Put(':id/unsuspend')
  @Operation({
    id: 'unsuspendCustomer',
    summary: 'Lift the suspension of a customer',
    description: 'It can have new subscriptions again, and use what it is entitled to.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
  })
  unsuspend(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<CustomerJson> {
    return this.suspension.execute(tenantId, id, false);
  }
}
