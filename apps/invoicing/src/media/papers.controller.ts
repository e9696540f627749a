import { Body, HttpCode, Post } from '@nestjs/common';
import type { PaperRequest, Principal } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { brandOf, sellerOf } from '../domain/finalization/freeze-snapshot.js';
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
    const letterhead = await this.database.tenant(
      caller.tenantId,
      async (tx) => {
        const overrides = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
        const settings = settingsFor(overrides, null);
        return { seller: sellerOf(settings.seller), ...brandOf(settings) };
      },
      { readOnly: true },
    );
    const pdf = await renderPaper(caller.tenantId, { request: body as PaperRequest, ...letterhead });
    return { pdf: Buffer.from(pdf).toString('base64') };
  }
}
