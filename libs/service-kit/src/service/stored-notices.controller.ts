import { Get } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { findLargeNotice } from '@kontor/messaging';
import { Database } from '@kontor/persistence';
import { Caller, IdParam } from '../http/route-params.js';
import { Internal } from '../internal/internal.js';

/** For whoever delivers notices: what was too large for its event. */
@Internal('stored-notices')
export class StoredNoticesController {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  @Get(':id')
  async notice(@Caller() { tenantId }: Principal, @IdParam() id: string): Promise<Record<string, unknown>> {
    const data = await this.database.system((sql) => findLargeNotice(sql, tenantId, id));
    if (!data) throw notFound('The notice');
    return data;
  }
}
