import { Body, HttpCode, Post } from '@nestjs/common';
import type { PaperRequest, Principal } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { sellerOf } from '../domain/finalization/freeze-snapshot.js';
import { settingsFor } from '../domain/invoices/settings.js';
import { renderPaper } from '../pdf/render-document.js';

/** For other services: letters in the design of the invoices. They keep what they get. */
@Internal('papers')
export class PapersInternal {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  @Post()
  @HttpCode(200)
  async render(@Caller() caller: Principal, @Body() body: unknown): Promise<{ pdf: string }> {
    const seller = await this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const overrides = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
        return sellerOf(settingsFor(overrides, null).seller);
      },
      { readOnly: true },
    );
    const pdf = await renderPaper({ request: body as PaperRequest, seller });
    return { pdf: Buffer.from(pdf).toString('base64') };
  }
}
