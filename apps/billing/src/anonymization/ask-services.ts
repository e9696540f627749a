import { type CustomerErasureRequest, type ErasureResponse, SERVICES } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { AnonymizationPart } from '../db/anonymization.row.js';
import * as tables from '../db/tables.js';

/** A service works for so long and answers how far it came. */
const TIMEOUT_MS = 20_000;

/** Has every service take away what it may not, or need not any more, know of a customer. */
@Injectable()
export class AskServices {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  /** @throws ServiceUnavailable, OutcomeUnknown when one does not answer */
  async erase(tenantId: string, customerId: string): Promise<AnonymizationPart[]> {
    const { version } = await this.database.tenant(
      tenantId,
      (tx) => tables.customers.findOneOrFail(tx, { id: customerId }),
      { readOnly: true },
    );
    const request: CustomerErasureRequest = { version };
    const path = `/internal/customers/${customerId}/erasure`;
    return Promise.all(
      SERVICES.map(async (service) => ({
        service,
        ...(await this.internal.call<ErasureResponse>(service, 'POST', path, request, {
          tenantId,
          timeoutMs: TIMEOUT_MS,
        })),
      })),
    );
  }
}
