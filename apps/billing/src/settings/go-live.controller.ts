import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Operation } from '@kontor/service-kit';
import { Controller, Get } from '@nestjs/common';
import { type Static, Type } from '@sinclair/typebox';
import * as tables from '../db/tables.js';
import { effectiveSettings } from '../domain/settings/billing-settings.js';
import { GO_LIVE_STATES, goLiveItems, isReady } from '../domain/settings/go-live.js';
import { oneOf } from '../schema.js';
import { loadSettings } from './change-settings.js';
import { TenantSetup } from './tenant-setup.js';

const goLiveSchema = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether the first invoice can be issued and paid.' }),
    items: Type.Array(
      Type.Object({
        item: Type.String({ description: 'Name of the item, for programs.', examples: ['seller_tax_id'] }),
        state: Type.Unsafe<(typeof GO_LIVE_STATES)[number]>({
          ...oneOf(GO_LIVE_STATES),
          description: '`to_check`: it has a value that nobody has chosen, which may be right.',
        }),
        required: Type.Boolean({ description: 'Whether nothing can be billed without it.' }),
        todo: Type.String({ description: 'What to do, for people.', examples: ['Set `seller.vatId`.'] }),
        operation: Type.String({ description: '`operationId` of what does it.', examples: ['updateBillingSettings'] }),
      }),
      { description: 'In the order in which they are best done.' },
    ),
  },
  { $id: 'GoLive' },
);

@Controller('tenant')
export class GoLiveController {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
  ) {}

  @Get('go-live')
  @Operation({
    id: 'getGoLive',
    summary: 'What is still to be done before the tenant bills for real',
    description:
      'A check list: seller data, bank account, prices, numbers, taxes. Made from what is stored now, in live and sandbox tenants.',
    tag: 'Tenant',
    permission: 'settings:read',
    response: goLiveSchema,
  })
  read(@Caller() { tenantId }: Principal): Promise<Static<typeof goLiveSchema>> {
    return this.database.tenant(tenantId, async (tx) => {
      const { values } = await loadSettings(tx, this.setup, { lock: false });
      const hasPrice = await tables.pricePlans.exists(tx, { status: 'active' });
      const items = goLiveItems({ settings: effectiveSettings(values), chosen: Object.keys(values), hasPrice });
      return { ready: isReady(items), items };
    });
  }
}
