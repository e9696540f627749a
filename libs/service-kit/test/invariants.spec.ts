import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messagingMigrations } from '@kontor/messaging';
import { newUuid } from '@kontor/kernel';
import { persistenceMigrations } from '@kontor/persistence';
import { eventually, testDatabase, type TestDatabase } from '@kontor/testing';
import { checkInvariants, describeViolations, type Invariant, type Violations } from '../src/index.js';
import { retentionMigration } from '../src/personal-data/erasure-migration.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase('promises', [...persistenceMigrations, ...messagingMigrations, retentionMigration], []);
});
afterAll(() => test.drop());

const tenantId = newUuid();
const fine: Invariant = { rule: 'fine', sql: `SELECT 'x' AS what WHERE $1::uuid IS NULL` };
const many: Invariant = {
  rule: 'many',
  sql: `SELECT n::text AS what FROM generate_series(1, 200000) n WHERE $1::uuid IS NOT NULL`,
};
const few: Invariant = { ...many, rule: 'few', sql: many.sql.replace('200000', '10') };
const slow: Invariant = { rule: 'slow', sql: `SELECT 'x' AS what FROM pg_sleep(120) WHERE $1::uuid IS NOT NULL` };

async function check(invariants: Invariant[], timeoutMs?: number): Promise<{ count: number; found: Violations[] }> {
  const found: Violations[] = [];
  const count = await checkInvariants(test.database, invariants, [tenantId], {
    onViolations: (violations) => found.push(violations),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return { count, found };
}

describe('checking invariants', () => {
  it('counts any number of violations and describes the first', async () => {
    const { count, found } = await check([fine, many, fine]);
    expect(count).toBe(200_000);
    expect(found).toMatchObject([{ rule: 'many', tenantId, count: 200_000 }]);
    const lines = describeViolations(found[0]!);
    expect(lines.length).toBe(21);
    expect(lines[0]).toBe(`tenant ${tenantId}: many: 1`);
    expect(lines.at(-1)).toBe(`tenant ${tenantId}: many: 199980 more`);
  });

  it('gives a rule up that takes too long, says so, and checks the others', async () => {
    const { count, found } = await check([slow, few, slow, fine], 2_000);
    expect(count).toBe(12);
    expect(found.map(({ rule, examples }) => [rule, examples[0]])).toEqual([
      ['slow', 'not checked: it takes longer than 2 seconds'],
      ['few', '1'],
      ['slow', 'not checked: it takes longer than 2 seconds'],
    ]);
  });

  it('ends on the server when its client is killed', async () => {
    const running = async (): Promise<number> =>
      (
        await test.peek<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND query LIKE 'WITH found%pg_sleep%'`,
        )
      ).length;
    const client = killable();
    await eventually(async () => (await running()) === 1, 'the statement runs');
    client.kill('SIGKILL');
    await eventually(async () => (await running()) === 0, 'the server has ended it');
  });
});

/** A process that checks the rule that takes long. */
function killable(): ChildProcess {
  const script = `
    import { Database } from '@kontor/persistence';
    import { checkInvariants } from '@kontor/service-kit';
    const database = await Database.connect({ serviceName: 'promises', appUrl: process.env.APP_URL, rows: [] });
    await checkInvariants(database, [${JSON.stringify(slow)}], ['${tenantId}']);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, APP_URL: test.appUrl, NODE_OPTIONS: '' },
    stdio: 'inherit',
  });
  child.unref();
  return child;
}
