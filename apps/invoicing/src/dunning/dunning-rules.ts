import { Injectable } from '@nestjs/common';
import {
  atTimeOfDay,
  addDays,
  type Day,
  dayOf,
  DomainError,
  newUuid,
  notFound,
  validationFailed,
} from '@kontor/kernel';
import type { TenantState } from '@kontor/contracts';
import { Database, keepWithin, Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { type ListOptions, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { DUNNING_WORK } from '../due-kinds.js';
import { DUNNING_TYPES } from '../domain/dunning/dunning-document.js';
import type { DunningRuleDto } from './dunning.dto.js';
import { type DunningRuleRow, dunningRuleTable } from './dunning-rule.row.js';
import type { DunningRuleJson } from './dunning.schema.js';

const RUN_AT = '06:00';
const MAX_RULES = 100;

export const RULE_LIST: ListOptions = {
  filters: { type: [...DUNNING_TYPES] },
  order: ['level'],
};

/** When the next daily run is. */
export function nextRun(now: Date, zone: string): Date {
  const today: Day = dayOf(now, zone);
  const early = atTimeOfDay(today, RUN_AT, zone);
  return early > now ? early : atTimeOfDay(addDays(today, 1), RUN_AT, zone);
}

/** The levels of a tenant. The daily run is planned as long as there are any. */
@Injectable()
export class DunningRules {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  list(tenantId: string, list: ListQuery): Promise<Page<DunningRuleJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: dunningRuleTable,
          columns: { type: 't.type', level: 't.level' },
          defaultOrder: 't.level, t.id',
        });
        return page(rows.map(represent), total, list);
      },
      { pipelined: true },
    );
  }

  /** @throws DomainError 404 `not_found`. */
  get(tenantId: string, id: string): Promise<DunningRuleJson> {
    return this.database.tenant(tenantId, async (tx) => represent(await ruleOf(tx, id)), { readOnly: true });
  }

  /** @throws DomainError 422 `already_exists` (the level), `too_many_rules`. */
  create(tenantId: string, dto: DunningRuleDto): Promise<DunningRuleJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const tenant = await this.tenantOf(tx);
      const id = newUuid();
      const row: DunningRuleRow = { tenantId, id, createdAt: tx.now, ...valuesOf(dto, tenant, tx.now) };
      await keepWithin(tx, dunningRuleTable, 'too_many_rules', { limit: MAX_RULES, what: 'levels' });
      const [created] = await dunningRuleTable.insertMissing(tx, [row]);
      if (!created) throw levelExists(row.level);
      await this.planRun(tx, tenant);
      return represent(row);
    });
  }

  /** @throws DomainError 404; 422 `already_exists` (the level). */
  replace(tenantId: string, id: string, dto: DunningRuleDto): Promise<DunningRuleJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const tenant = await this.tenantOf(tx);
      // All of them: two changes at once could give two rules one level.
      const rules = await dunningRuleTable.find(tx, {}, { orderBy: { id: 'asc' }, lock: 'update' });
      const before = rules.find((rule) => rule.id === id);
      if (!before) throw notFound('The dunning rule');
      const row = { ...before, ...valuesOf(dto, tenant, tx.now) };
      if (rules.some((rule) => rule.id !== id && rule.level === row.level)) throw levelExists(row.level);
      await dunningRuleTable.update(tx, [row]);
      await this.planRun(tx, tenant);
      return represent(row);
    });
  }

  /** @throws DomainError 404 `not_found`. */
  remove(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      if ((await dunningRuleTable.delete(tx, { id })) === 0) throw notFound('The dunning rule');
    });
  }

  private async tenantOf(tx: TenantTx): Promise<TenantState> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    if (!tenant) throw notFound('The tenant');
    return tenant;
  }

  private planRun(tx: TenantTx, tenant: TenantState): Promise<void> {
    return scheduleDue(tx, { kind: DUNNING_WORK, ref: tx.tenantId, dueAt: nextRun(tx.now, tenant.timeZone) });
  }
}

async function ruleOf(tx: TenantTx, id: string): Promise<DunningRuleRow> {
  const rule = await dunningRuleTable.get(tx, id);
  if (!rule) throw notFound('The dunning rule');
  return rule;
}

const levelExists = (level: number): DomainError =>
  new DomainError('already_exists', {
    detail: `There is a rule of level ${level} already.`,
    violations: [{ propertyPath: 'level', message: 'Each level exists once.', code: 'already_exists' }],
  });

function valuesOf(
  dto: DunningRuleDto,
  tenant: TenantState,
  now: Date,
): Omit<DunningRuleRow, 'tenantId' | 'id' | 'createdAt'> {
  if ((dto.feeAmount?.amount ?? 0) < 0)
    throw validationFailed('feeAmount.amount', 'feeAmount must not be negative.', 'negative_amount');
  return {
    level: dto.level,
    type: dto.type ?? (dto.level === 1 ? 'reminder' : 'dunning'),
    daysOverdue: dto.daysOverdue,
    dueInDays: dto.dueInDays ?? 7,
    feeMinor: BigInt(dto.feeAmount?.amount ?? 0),
    feeCurrencyCode: dto.feeAmount?.currencyCode ?? tenant.currencyCode,
    attachOriginalInvoice: dto.attachOriginalInvoice ?? false,
    isEnabled: dto.isEnabled ?? true,
    updatedAt: now,
  };
}

const represent = (rule: DunningRuleRow): DunningRuleJson => ({
  id: rule.id,
  level: rule.level,
  type: rule.type,
  daysOverdue: rule.daysOverdue,
  dueInDays: rule.dueInDays,
  feeAmount: { amount: Number(rule.feeMinor), currencyCode: rule.feeCurrencyCode },
  attachOriginalInvoice: rule.attachOriginalInvoice,
  isEnabled: rule.isEnabled,
  createdAt: rule.createdAt.toISOString(),
  updatedAt: rule.updatedAt.toISOString(),
});
