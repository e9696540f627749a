import { Body, HttpCode, Post } from '@nestjs/common';
import type { BilledTaxesRequest, BilledTaxesResponse, Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { removedChargeTable } from '../db/removed-charge.row.js';
import { findBilledLines } from '../pricing/load-billed-lines.js';

/** For billing's previews: what goes back is taxed as it was billed. */
@Internal('billed-taxes')
export class BilledTaxesInternal {
  constructor(private readonly database: Database) {}

  @Post()
  @HttpCode(200)
  async read(@Caller() { tenantId }: Principal, @Body() body: unknown): Promise<BilledTaxesResponse> {
    const { chargeIds } = body as BilledTaxesRequest;
    const { found, removed } = await this.database.tenant(
      tenantId,
      async (tx) => ({
        found: await findBilledLines(tx, new Set(chargeIds)),
        removed: await removedChargeTable.find(tx, { chargeId: chargeIds }),
      }),
      { readOnly: true },
    );
    return {
      removed: removed.map(({ chargeId }) => chargeId),
      lines: found.map(({ chargeId, currencyCode, category, rate, noteKey, tax, billedMinor, netMinor, taxMinor }) => ({
        chargeId,
        currencyCode,
        category,
        rate,
        noteKey,
        tax,
        billedMinor: String(billedMinor),
        netMinor: String(netMinor),
        taxMinor: String(taxMinor),
      })),
    };
  }
}
