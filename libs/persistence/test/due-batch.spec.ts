import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { statementsOf, testDatabase, type TestDatabase } from '@kontor/testing';
import { type Claim, claimPolled } from '../src/due/claims.js';
import { cancelDue, completeDueMany, scheduleDue, scheduleDueMany, setTenantClock } from '../src/index.js';
import { noteMigrations, NoteRow } from './support.js';

const KIND = 'note.reminder';
const JANUARY = new Date('2027-01-01T00:00:00Z');
const FEBRUARY = new Date('2027-02-01T00:00:00Z');
const MARCH = new Date('2027-03-01T00:00:00Z');

describe('a batch of due work that ends', () => {
  let db: TestDatabase;
  let tenantId: string;

  beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
  afterAll(() => db.drop());
  beforeEach(async () => {
    tenantId = newUuid();
    await db.peek('TRUNCATE due_work');
  });

  const schedule = (ref: string, dueAt: Date): Promise<void> =>
    db.database.tenant(tenantId, (tx) => scheduleDue(tx, { kind: KIND, ref, dueAt }));
  const claimed = async (refs: readonly string[], wall = false): Promise<Claim> => {
    const dueAt = new Date('2026-01-01T00:00:00Z');
    await db.database.tenant(tenantId, (tx) =>
      scheduleDueMany(
        tx,
        refs.map((ref) => ({ kind: KIND, ref, dueAt, wall })),
      ),
    );
    const [batch] = await db.database.system((sql) => claimPolled(sql, [KIND], 500));
    return batch!;
  };
  const complete = ({ items }: Claim, next: Readonly<Record<string, Date | null>>): Promise<void> =>
    db.database.tenant(tenantId, (tx) =>
      completeDueMany(
        tx,
        KIND,
        items.map((item) => ({ item, nextDueAt: next[item.ref] ?? null })),
      ),
    );
  const left = async (): Promise<Record<string, { due: Date; poll: Date | null; held: boolean }>> => {
    const rows = await db.peek<{ ref: string; due_at: Date; poll_at: Date | null; held: boolean }>(
      'SELECT ref, due_at, poll_at, lease_until IS NOT NULL AS held FROM due_work ORDER BY ref',
    );
    return Object.fromEntries(rows.map((row) => [row.ref, { due: row.due_at, poll: row.poll_at, held: row.held }]));
  };

  it('has its own next time each, or none, or the earlier one that came meanwhile', async () => {
    const batch = await claimed(['ends', 'comes', 'sooner', 'later', 'kept']);
    await schedule('sooner', JANUARY);
    await schedule('later', MARCH);
    await schedule('kept', FEBRUARY);
    await complete(batch, { comes: JANUARY, sooner: FEBRUARY, later: FEBRUARY });
    expect(await left()).toEqual({
      comes: { due: JANUARY, poll: JANUARY, held: false },
      sooner: { due: JANUARY, poll: JANUARY, held: false },
      later: { due: FEBRUARY, poll: FEBRUARY, held: false },
      kept: { due: FEBRUARY, poll: FEBRUARY, held: false },
    });
  });

  it('sets all next times in one statement that searches no list row by row', async () => {
    const refs = Array.from({ length: 200 }, (_, n) => `r${n}`);
    const batch = await claimed(refs);
    const next = Object.fromEntries(refs.map((ref, n) => [ref, new Date(FEBRUARY.getTime() + n)]));
    const sent = await statementsOf(() => complete(batch, next));
    const asked = sent.map(({ text }) => text).filter((text) => text.includes('due_work'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain('array_position');
    const times = Object.entries(await left()).map(([ref, { due }]) => [ref, due]);
    expect(Object.fromEntries(times)).toEqual(next);
  });

  it('waits for a frozen clock, unless that has reached it or it stays on real time', async () => {
    await db.database.system((sql) => setTenantClock(sql, tenantId, FEBRUARY));
    const batch = await claimed(['reached', 'waits']);
    await complete(batch, { reached: JANUARY, waits: MARCH });
    const real = await claimed(['real'], true);
    await complete({ ...real, items: real.items.filter(({ ref }) => ref === 'real') }, { real: MARCH });
    const rows = await left();
    expect(rows.reached?.poll).toBeInstanceOf(Date);
    expect(rows.waits).toEqual({ due: MARCH, poll: null, held: false });
    // What stays on real time is due when the database's clock shows it, which may be ahead of the machine's.
    expect(rows.real?.poll).toEqual(rows.real?.due);
  });

  it('changes nothing at all when one of its leases is lost', async () => {
    const batch = await claimed(['a', 'b', 'c']);
    await db.database.tenant(tenantId, (tx) => cancelDue(tx, KIND, 'b'));
    await expect(complete(batch, { a: JANUARY, b: JANUARY, c: null })).rejects.toThrow(/lease/);
    const rows = await left();
    expect(Object.entries(rows).map(([ref, { held }]) => [ref, held])).toEqual([
      ['a', true],
      ['c', true],
    ]);
  });
});
