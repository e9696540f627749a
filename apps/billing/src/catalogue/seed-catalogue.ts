import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { MeasurementRow, type ReverseChargeType, TaxGroupRow, type TaxGroupType } from '../db/catalogue.row.js';
import { TenantSetup } from '../settings/tenant-setup.js';
import { publishCatalogue } from './publish-catalogue.js';
import { representMeasurement } from './represent-catalogue.js';
import { representTaxGroup } from './tax-group.read.js';

/** Code of the measurement that a quantity is billed by unless a price names another. */
export const QUANTITY = 'quantity';

const TAX_GROUPS: readonly { type: TaxGroupType; internalDescription: string; reverseChargeType: ReverseChargeType }[] =
  [
    { type: 'standard', internalDescription: 'Standard rate', reverseChargeType: 'REVERSE_CHARGE' },
    { type: 'reduced', internalDescription: 'Reduced rate', reverseChargeType: 'REVERSE_CHARGE' },
    { type: 'zero', internalDescription: 'Zero rate', reverseChargeType: 'REVERSE_CHARGE' },
    { type: 'exempt', internalDescription: 'Exempt', reverseChargeType: 'REVERSE_CHARGE_DEACTIVATED' },
  ];

/** Gives a new tenant one tax group of each type and the measurement `quantity`. */
@Injectable()
export class SeedCatalogue {
  constructor(setup: TenantSetup) {
    setup.register((tx) => this.execute(tx));
  }

  async execute(tx: TenantTx): Promise<void> {
    await seedTaxGroups(tx);
    await seedQuantity(tx);
  }
}

const common = (tx: TenantTx) => ({
  tenantId: tx.tenantId,
  id: newUuid(),
  version: 1,
  status: 'active' as const,
  createdAt: tx.now,
  updatedAt: tx.now,
});

async function seedTaxGroups(tx: TenantTx): Promise<void> {
  const rows = TAX_GROUPS.map((group) =>
    Object.assign(new TaxGroupRow(), { ...common(tx), ...group, taxes: [], seeded: true }),
  );
  await tables.taxGroups.insert(tx, rows);
  for (const row of rows) await publishCatalogue(tx, 'tax_group', row, representTaxGroup(row));
}

async function seedQuantity(tx: TenantTx): Promise<void> {
  const row = Object.assign(new MeasurementRow(), {
    ...common(tx),
    code: QUANTITY,
    description: 'Booked quantity',
    unitId: null,
    aggregationType: 'last_value',
    fairBilling: false,
    type: 'recurring',
  } satisfies MeasurementRow);
  await tables.measurements.insert(tx, row);
  await publishCatalogue(tx, 'measurement', row, representMeasurement(row, undefined));
}
