import type { UsageMetricState } from '@kontor/contracts';
import { addInterval, type Day, dayOf, DomainError, startOfDay } from '@kontor/kernel';
import { compareDecimal, decimal, formatDecimal, subtractDecimal } from '@kontor/money';
import { Injectable } from '@nestjs/common';
import { UNLIMITED } from '../domain/entitlements/feature-config.js';
import { isUnmeasured, type QuantityRequest } from '../domain/metering/metered.js';
import { MeteredSources } from '../metering/metered-sources.js';
import type { UsageJson } from './entitlement.schema.js';
import type { KnownEntitlement } from './represent-entitlement.js';

/** Nobody waits for more than these. */
const MAX_MEASURED = 200;
const ZERO = decimal('0');

/** What the request for usage needs beside the entitlements. */
export interface MeasureContext {
  readonly tenantId: string;
  readonly now: Date;
  readonly zone: string;
  readonly metrics: ReadonlyMap<string, UsageMetricState>;
}

/** Counts what is used of entitlements: in the charged period of their item that lies around now, else in the calendar month. */
@Injectable()
export class MeasureEntitlements {
  constructor(private readonly sources: MeteredSources) {}

  /**
   * By the id of the entitlement.
   * @throws DomainError 503 `usage_unavailable`; `too_many_entitlements` when there are too many to count
   */
  async execute(rows: readonly KnownEntitlement[], context: MeasureContext): Promise<Map<string, UsageJson>> {
    const counted = rows.filter(({ usageMetricId }) => usageMetricId !== null);
    if (counted.length > MAX_MEASURED)
      throw new DomainError('too_many_entitlements', {
        detail: `The usage of at most ${MAX_MEASURED} entitlements is counted at once; name a feature.`,
      });
    const requests = counted.map((row) => requestFor(row, context));
    if (requests.length === 0) return new Map();
    const found = await this.sources.measure(context.tenantId, requests, { now: context.now, freeze: false });
    const usage = new Map<string, UsageJson>();
    for (const [n, row] of counted.entries()) {
      const request = requests[n]!;
      const measured = found.get(request.key);
      if (!measured) continue;
      if (isUnmeasured(measured))
        throw new DomainError(
          measured.reason,
          measured.retryable ? { kind: 'unavailable', retryAfterSeconds: 10 } : {},
        );
      usage.set(row.id, {
        usageMetric: { id: request.meter.id, name: request.meter.name },
        used: measured.quantity,
        remaining: remaining(row.value, measured.quantity),
        from: request.fromInstant.toISOString(),
        to: request.toInstant.toISOString(),
      });
    }
    return usage;
  }
}

function remaining(value: string, used: string): string {
  if (value === UNLIMITED) return UNLIMITED;
  const rest = subtractDecimal(decimal(value), decimal(used));
  return compareDecimal(rest, ZERO) < 0 ? '0' : formatDecimal(rest);
}

function requestFor(row: KnownEntitlement, { now, zone, metrics }: MeasureContext): QuantityRequest {
  const { from, to } = periodOf(row, dayOf(now, zone));
  const metric = metrics.get(row.usageMetricId!);
  return {
    key: row.id,
    customerId: row.customerId,
    subscriptionId: row.subscriptionId ?? row.id,
    itemId: row.subscriptionItemId ?? row.id,
    from,
    to,
    intervalFrom: from,
    intervalTo: to,
    fromInstant: startOfDay(from, zone),
    toInstant: startOfDay(to, zone),
    itemRevision: 0,
    corrections: 0,
    meter: {
      source: 'usage',
      id: row.usageMetricId!,
      groupBy: [],
      name: metric?.name ?? null,
      unit: metric?.unit ?? null,
    },
  };
}

function periodOf({ billedFrom, billedTo }: KnownEntitlement, today: Day): { from: Day; to: Day } {
  if (billedFrom !== null && billedTo !== null && billedFrom <= today && today < billedTo)
    return { from: billedFrom, to: billedTo };
  const from = `${today.slice(0, 7)}-01`;
  return { from, to: addInterval(from, { count: 1, unit: 'M' }) };
}
