import {
  type ErasureResponse,
  SERVICES,
  type TenantClosingRequest,
  type TenantErasureRequest,
} from '@kontor/contracts';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { DeletionPart } from '../db/tenant-deletion.row.js';

const PATH = '/internal/tenant-erasure';
/** A service works for so long and answers how far it came. */
const TIMEOUT_MS = 20_000;

/** What all services do for the deletion of a tenant; doing it again does no harm. */
@Injectable()
export class DeletionServices {
  constructor(private readonly client: InternalClient) {}

  /** Has the others let the tenant stand still, or go on. This one goes on: it is what deletes. @throws ServiceUnavailable, OutcomeUnknown */
  async close(tenantId: string, closed: boolean): Promise<void> {
    const body: TenantClosingRequest = { closed };
    await Promise.all(
      SERVICES.filter((service) => service !== 'identity').map((service) =>
        this.client.call(service, 'PUT', `${PATH}/closing`, body, { tenantId }),
      ),
    );
  }

  /** Has each take away a part. @throws ServiceUnavailable, OutcomeUnknown */
  erase(tenantId: string, wholly: boolean): Promise<DeletionPart[]> {
    const body: TenantErasureRequest = { wholly };
    return Promise.all(
      SERVICES.map(async (service) => ({
        service,
        ...(await this.client.call<ErasureResponse>(service, 'POST', PATH, body, { tenantId, timeoutMs: TIMEOUT_MS })),
      })),
    );
  }
}
