import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Controller, Get, Post } from '@nestjs/common';
import {
  type AnonymizationJson,
  anonymizationExample,
  anonymizationSchema,
  representAnonymization,
} from './anonymization.schema.js';
import { AnonymizeCustomer } from './anonymize-customer.js';

const tag = 'Customers';

@Controller('customers')
export class AnonymizationController {
  constructor(private readonly anonymizeCustomer: AnonymizeCustomer) {}

  @Post(':id/anonymize')
  @Operation({
    id: 'anonymizeCustomer',
    summary: 'Take away everything that is known of a customer, but what the law wants kept',
    description:
      'For requests under Art. 17 GDPR. Name, addresses and contacts are gone when this answers; the rest goes in every service, the log of ' +
      'events and stored files included. Finalized documents and bookings stay until their term is over. There is no way back: the ' +
      'customer stays archived, and changes are refused with `customer_anonymized`. While subscriptions run, invoices are open or money ' +
      'is on its way it is refused with `customer_in_use`; `violations` names each reason. Asked again it answers how far it is.',
    tag,
    permission: 'customer:write',
    resumes: true,
    success: 202,
    response: anonymizationSchema,
    examples: { response: { ...anonymizationExample, status: 'running', completedAt: null, services: [] } },
  })
  async anonymize(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<AnonymizationJson> {
    return representAnonymization(await this.anonymizeCustomer.execute(tenantId, id));
  }

  @Get(':id/anonymization')
  @Operation({
    id: 'getAnonymization',
    summary: 'What was taken away of a customer, and what stays until when',
    tag,
    permission: 'customer:read',
    response: anonymizationSchema,
    examples: { response: anonymizationExample },
  })
  async read(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<AnonymizationJson> {
    return representAnonymization(await this.anonymizeCustomer.read(tenantId, id));
  }
}
