import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { onCommit, Replicas, type TenantTx } from '@kontor/persistence';
import { MeasurementRow, type ReverseChargeType, TaxGroupRow, type TaxGroupType } from '../db/catalogue.row.js';
import { BillingSettingsRow } from '../db/settings.row.js';
import { exampleSeller } from '../domain/settings/billing-settings.js';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { representMeasurement } from '../catalogue/represent-catalogue.js';
import { representTaxGroup } from '../catalogue/tax-group.read.js';
import { publishSettings } from './settings-aggregate.js';

/** Code of the measurement that a quantity is billed by unless a price names another. */
export const QUANTITY = 'quantity';

const TAX_GROUPS: readonly { type: TaxGroupType; internalDescription: string; reverseChargeType: ReverseChargeType }[] = [
  { type: 'standard', internalDescription: 'Standard rate', reverseChargeType: 'REVERSE_CHARGE' },
  { type: 'reduced', internalDescription: 'Reduced rate', reverseChargeType: 'REVERSE_CHARGE' },
  { type: 'zero', internalDescription: 'Zero rate', reverseChargeType: 'REVERSE_CHARGE' },
  { type: 'exempt', internalDescription: 'Exempt', reverseChargeType: 'REVERSE_CHARGE_DEACTIVATED' },
];

/**
 * Gives a tenant what it starts with: its settings row (with example seller data in a sandbox), one tax group of each
 * type and the measurement `quantity`. Called when the tenant appears and again by whatever needs one of them first;
 * the settings row decides, so it happens once.
 */
@Injectable()
export class TenantSetup {
  private readonly done = new Set<string>();

  constructor(private readonly replicas: Replicas) {}

  /** `known`: the tenant where the caller has it at hand, else it is looked up. */
  async ensure(tx: TenantTx, known?: TenantState): Promise<void> {
    const { tenantId } = tx;
    if (this.done.has(tenantId)) return;
    // Remembered only when it is true for others too: what a rolled back transaction saw may have been its own.
    onCommit(tx, () => void this.done.add(tenantId));
    if (await tx.manager.existsBy(BillingSettingsRow, { tenantId })) return;
    const row = settingsOf(tx, known ?? (await this.replicas.get<TenantState>(tx, 'tenant', tenantId)));
    const inserted = await tx.manager
      .createQueryBuilder()
      .insert()
      .into(BillingSettingsRow)
      .values(row as never)
      .orIgnore()
      .returning('tenant_id')
      .execute();
    if ((inserted.raw as unknown[]).length === 0) return;
    await publishSettings(tx, row, []);
    await seedTaxGroups(tx);
    await seedQuantity(tx);
  }
}

const settingsOf = (tx: TenantTx, tenant: TenantState | null): BillingSettingsRow =>
  Object.assign(new BillingSettingsRow(), {
    tenantId: tx.tenantId,
    version: 1,
    values: tenant?.mode === 'sandbox' ? { seller: exampleSeller(tenant.name) } : {},
    updatedAt: tx.now,
  });

const common = (tx: TenantTx) => ({
  tenantId: tx.tenantId,
  id: newUuid(),
  version: 1,
  status: 'active' as const,
  createdAt: tx.now,
  updatedAt: tx.now,
});

async function seedTaxGroups(tx: TenantTx): Promise<void> {
  const rows = TAX_GROUPS.map((group) => Object.assign(new TaxGroupRow(), { ...common(tx), ...group, seeded: true }));
  await tx.manager.insert(TaxGroupRow, rows);
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
  await tx.manager.insert(MeasurementRow, row);
  await publishCatalogue(tx, 'measurement', row, representMeasurement(row, undefined));
}
