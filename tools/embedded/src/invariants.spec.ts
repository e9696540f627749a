import { describe, expect, it } from '@jest/globals';
import { billingService } from '@kontor/billing';
import { invoicingService } from '@kontor/invoicing';
import { newUuid } from '@kontor/kernel';
import { paymentsService } from '@kontor/payments';
import { type Invariant, migrationsOf, planOf } from '@kontor/service-kit';
import { testDatabase } from '@kontor/testing';
import { usageService } from '@kontor/usage';

/** A step of a plan that is done once for each row of another one. */
const FOR_EACH_ROW = /Nested Loop|SubPlan/;
/** Compares each number with each series, of which there are a few a year. */
const BY_SERIES = /^numbers have no gap/;

describe.each([billingService, invoicingService, paymentsService, usageService])('the promises of $name', (service) => {
  it('are checked by joins of whole sets, which stay fast without statistics', async () => {
    const test = await testDatabase(service.name, migrationsOf(service), [], { ingest: service.ingest ?? false });
    const tenantId = newUuid();
    const rules = (service.invariants ?? []).filter((rule): rule is Invariant => 'sql' in rule && !rule.byIndex);
    expect(rules.length).toBeGreaterThan(0);
    const slow = await test.database.tenant(tenantId, async (tx) => {
      await tx.query(planOf());
      const found: string[] = [];
      for (const { rule, sql } of rules) {
        const lines = await tx.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN WITH found AS MATERIALIZED (${sql}) SELECT count(*) FROM found`,
          [tenantId],
        );
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
        if (FOR_EACH_ROW.test(plan) && !BY_SERIES.test(rule)) found.push(`${rule}\n${plan}`);
      }
      return found;
    });
    await test.drop();
    expect(slow).toEqual([]);
  });
});

describe('promises that are checked row by row', () => {
  it('find each row by an index, also where there are no statistics', async () => {
    const test = await testDatabase('usage', migrationsOf(usageService), [], { ingest: true });
    const plans = await test.database.tenant(newUuid(), async (tx) => {
      const found: string[] = [];
      for (const rule of usageService.invariants ?? []) {
        if (!('sql' in rule && rule.byIndex)) continue;
        const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${rule.sql}`, [newUuid()]);
        found.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      }
      return found;
    });
    await test.drop();
    expect(plans).toHaveLength(1);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on usage_event_key/);
  });
});

it('what is looked up by an index is, also where nobody knows how many rows there are', async () => {
  const { name, ingest = false, invariants = [] } = usageService;
  const test = await testDatabase(name, migrationsOf(usageService), [], { ingest });
  const rules = invariants.filter((rule): rule is Invariant => 'sql' in rule && rule.byIndex === true);
  expect(rules).toHaveLength(1);
  const tenantId = newUuid();
  const plans = await test.database.tenant(tenantId, async (tx) => {
    await tx.query(planOf(true));
    const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${rules[0]!.sql}`, [tenantId]);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
  await test.drop();
  expect(plans).not.toContain('Seq Scan');
  expect(plans).toMatch(/Index Cond: \(digest = /);
});
