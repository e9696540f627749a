import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { multiplyRow, statementsOf, testDatabase, type TestDatabase, usesIndexOn } from '@kontor/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  assertEveryTableHasARow,
  assertNoDrift,
  BigintColumn,
  InstantColumn,
  JsonColumn,
  JsonTextColumn,
  type Migration,
  PERSISTENCE_TABLES_WITHOUT_POLICY,
  rowTable,
  type TenantTx,
  tenantTable,
} from '../src/index.js';

@Entity('parcel')
class ParcelRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) customerId!: string;
  @Column('text') status!: 'packed' | 'sent';
  @BigintColumn() priceAmount!: bigint;
  @Column('numeric', { nullable: true }) weight!: string | null;
  @Column('int') order!: number;
  @Column('boolean') fragile!: boolean;
  @InstantColumn() createdAt!: Date;
  @JsonColumn({ nullable: true }) contents!: unknown;
  @Column('json', { nullable: true }) label!: unknown;
  @JsonTextColumn({ nullable: true }) waybill!: string | null;
  @Column('text', { array: true }) tags!: string[];
  @Column('bytea', { nullable: true }) digest!: Buffer | null;
  @Column('text', { nullable: true }) note?: string | null;
}

@Entity('stop')
class StopRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') parcelId!: string;
  @PrimaryColumn('int') position!: number;
  @Column('text') city!: string;
}

@Entity('depot')
class DepotRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @Column('text') city!: string;
}

@Entity('no_key')
class WithoutTenantRow {
  @PrimaryColumn('uuid') id!: string;
}

const migrations: Migration[] = [
  {
    name: '0001_parcels',
    sql: `
      CREATE TABLE parcel (
        tenant_id uuid NOT NULL, id uuid NOT NULL, customer_id uuid NOT NULL, status text NOT NULL, price_amount bigint NOT NULL,
        weight numeric, "order" integer NOT NULL, fragile boolean NOT NULL, created_at timestamptz NOT NULL,
        contents jsonb, label json, waybill text, tags text[] NOT NULL, digest bytea, note text,
        PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, "order"));
      CREATE INDEX parcel_customer ON parcel (tenant_id, customer_id);
      CREATE TABLE stop (
        tenant_id uuid NOT NULL, parcel_id uuid NOT NULL, position integer NOT NULL, city text NOT NULL,
        PRIMARY KEY (tenant_id, parcel_id, position));
      CREATE TABLE depot (tenant_id uuid PRIMARY KEY, city text NOT NULL);
      ${['parcel', 'stop', 'depot'].map(tenantTable).join('')}`,
  },
];

const parcels = rowTable(ParcelRow);
const stops = rowTable(StopRow);
const depots = rowTable(DepotRow);

describe('a row table', () => {
  let db: TestDatabase;
  let tenantId: string;
  let order = 0;
  const inTx = <T>(work: (tx: TenantTx) => Promise<T>, tenant = tenantId): Promise<T> =>
    db.database.tenant(tenant, work);
  const aParcel = (fields: Partial<ParcelRow> = {}): ParcelRow => ({
    tenantId,
    id: newUuid(),
    customerId: newUuid(),
    status: 'packed',
    priceAmount: 9_007_199_254_740_993n,
    weight: '12.500',
    order: ++order,
    fragile: true,
    createdAt: new Date('2026-01-01T00:00:00.123Z'),
    contents: { a: ['NULL', '"quoted" \\ {braces}', null] },
    label: [1, 2],
    waybill: '{ "a" :1.0,"b":"{\\"c\\",\\\\n\\n}"}',
    tags: ['a, b', 'null', ''],
    digest: Buffer.from([0, 92, 255]),
    note: null,
    ...fields,
  });

  beforeAll(async () => {
    db = await testDatabase('rowtable', migrations, [ParcelRow, StopRow, DepotRow]);
    tenantId = newUuid();
  });
  afterAll(() => db?.drop());

  it('describes what the migrations built', () => assertNoDrift(db.database, [ParcelRow, StopRow, DepotRow]));

  it('a table without a row class is found, and an exception that is none', async () => {
    const infrastructure = [...PERSISTENCE_TABLES_WITHOUT_POLICY, 'replica'];
    const check = (rows: Function[], exceptions: string[]): Promise<void> =>
      assertEveryTableHasARow(db.database, rows, [...infrastructure, ...exceptions]);
    await check([ParcelRow, StopRow, DepotRow], []);
    await expect(check([ParcelRow, StopRow], [])).rejects.toThrow('depot: no row class');
    await expect(check([ParcelRow, StopRow, DepotRow], ['stop'])).rejects.toThrow('stop: excepted, although');
    await expect(check([ParcelRow, StopRow, DepotRow], ['nothing'])).rejects.toThrow('nothing: excepted, but no table');
  });

  it('reads every type as it was written', async () => {
    const bare = (): ParcelRow =>
      aParcel({ weight: null, contents: null, label: null, waybill: null, digest: null, tags: [] });
    const rows = [aParcel(), bare(), aParcel({ note: 'NULL' }), bare(), bare()];
    await inTx((tx) => parcels.insert(tx, rows));
    const alone = bare();
    await inTx((tx) => parcels.insert(tx, alone));
    for (const row of [...rows, alone]) expect(await inTx((tx) => parcels.get(tx, row.id))).toEqual(row);
    expect(await inTx((tx) => parcels.get(tx, newUuid()))).toBeNull();
  });

  it('writes what is undefined as null, and amounts in JSON as text', async () => {
    const { note: _, ...row } = aParcel({ contents: { amount: 5n } });
    await inTx((tx) => parcels.insert(tx, row));
    expect(await inTx((tx) => parcels.get(tx, row.id))).toEqual({ ...row, note: null, contents: { amount: '5' } });
    // The column is written another way from then on.
    const later = [aParcel(), aParcel({ contents: null }), aParcel({ contents: [{ amount: -7n }, 'n'] })];
    await inTx((tx) => parcels.insert(tx, later));
    expect(await inTx((tx) => parcels.find(tx, { id: later.map(({ id }) => id) }, { orderBy: { order: 'asc' } }))).toEqual([
      later[0], later[1], { ...later[2], contents: [{ amount: '-7' }, 'n'] },
    ]); // prettier-ignore
  });

  it('finds by values, by any of several, by null, and in order', async () => {
    const customerId = newUuid();
    const rows = [1, 2, 3, 4].map((n) =>
      aParcel({ customerId, status: n < 3 ? 'packed' : 'sent', weight: n % 2 ? null : '1', fragile: n > 1 }),
    );
    const ids = rows.map((row) => row.id);
    const found = (match: Parameters<typeof parcels.find>[1], options?: Parameters<typeof parcels.find>[2]) =>
      inTx(async (tx) => (await parcels.find(tx, match, options)).map((row) => ids.indexOf(row.id)));
    await inTx((tx) => parcels.insert(tx, rows));
    expect(await found({ customerId }, { orderBy: { order: 'asc' } })).toEqual([0, 1, 2, 3]);
    expect(await found({ customerId, status: 'sent', weight: null })).toEqual([2]);
    expect(
      await found({ customerId, status: ['packed', 'sent'] }, { orderBy: { fragile: 'desc', order: 'desc' } }),
    ).toEqual([3, 2, 1, 0]);
    expect(await found({ customerId }, { orderBy: { order: 'asc' }, limit: 2, offset: 1 })).toEqual([1, 2]);
    expect(
      await found(
        { customerId, priceAmount: rows[0]!.priceAmount, createdAt: rows[0]!.createdAt, weight: '1.0' },
        { lock: 'update', orderBy: { id: 'asc' } },
      ),
    ).toEqual([1, 3]);
    expect(await found({ status: [] })).toEqual([]);
    expect(
      await inTx((tx) => parcels.findOne(tx, { customerId }, { orderBy: { order: 'desc' }, lock: 'share' })),
    ).toEqual(rows[3]);
    expect(await inTx((tx) => parcels.findOne(tx, { customerId: newUuid() }))).toBeNull();
    expect(await inTx((tx) => parcels.findByIds(tx, [...ids, ...ids, newUuid()]))).toHaveLength(4);
    expect(await inTx((tx) => parcels.findByIds(tx, []))).toEqual([]);
    expect(await inTx((tx) => parcels.count(tx, { customerId }))).toBe(4);
    expect(await inTx((tx) => parcels.exists(tx, { customerId, status: 'sent' }))).toBe(true);
    expect(await inTx((tx) => parcels.exists(tx, { customerId: newUuid() }))).toBe(false);
    expect(
      await inTx((tx) =>
        parcels.where(tx, 't.customer_id = $2 AND "order" > $3 ORDER BY "order" LIMIT 1', [customerId, rows[0]!.order]),
      ),
    ).toEqual([rows[1]]);
    const listed = await inTx((tx) =>
      tx.query(`SELECT ${parcels.selectOf('p')} FROM parcel p JOIN parcel q ON q.id = p.id WHERE p.id = $1`, [ids[0]]),
    );
    expect(listed).toEqual([rows[0]]);
  });

  it('refuses to guess what is meant', async () => {
    const find = (match: object) => inTx((tx) => parcels.find(tx, match as never));
    await expect(find({ customerId: undefined })).rejects.toThrow('customerId has a value');
    await expect(find({ customer: 'x' })).rejects.toThrow('customer is a column');
    await expect(find({ contents: {} })).rejects.toThrow('contents is a column of single values');
    await expect(inTx((tx) => parcels.delete(tx, {}))).rejects.toThrow('what is deleted from parcel is named');
    await expect(inTx((tx) => stops.get(tx, newUuid()))).rejects.toThrow(
      'the key of stop is the tenant and one column',
    );
    await expect(inTx((tx) => parcels.findOneOrFail(tx, { id: newUuid() }))).rejects.toThrow(
      'there is a row of parcel',
    );
    expect(() => rowTable(WithoutTenantRow)).toThrow('the key of WithoutTenantRow begins with tenantId');
  });

  it('inserts what is missing and says what that was', async () => {
    const [known, added] = [aParcel(), aParcel()];
    await inTx((tx) => parcels.insert(tx, known));
    const sameOrder = aParcel({ order: known.order });
    expect(await inTx((tx) => parcels.insertMissing(tx, [known, sameOrder, added]))).toEqual([added]);
    await expect(inTx((tx) => parcels.insert(tx, known))).rejects.toMatchObject({ code: '23505' });
  });

  it('changes mutable columns, or those that are named', async () => {
    const [a, b] = [aParcel(), aParcel()];
    await inTx((tx) => parcels.insert(tx, [a, b]));
    const changed = [a, b].map((row, i) => ({
      ...row,
      status: 'sent' as const,
      tags: [`${i}`],
      customerId: newUuid(),
    }));
    await inTx((tx) => parcels.update(tx, changed));
    const all = await inTx((tx) => parcels.find(tx, { id: [a.id, b.id] }, { orderBy: { order: 'asc' } }));
    expect(all).toEqual([
      { ...a, status: 'sent', tags: ['0'] },
      { ...b, status: 'sent', tags: ['1'] },
    ]);
    await inTx((tx) => parcels.update(tx, { id: a.id, weight: null }, ['weight']));
    expect(await inTx((tx) => parcels.get(tx, a.id))).toEqual({ ...a, status: 'sent', tags: ['0'], weight: null });
    await expect(inTx((tx) => parcels.update(tx, [a], ['customerId']))).rejects.toThrow(
      'mutable columns of parcel change',
    );
  });

  it('a row that should be changed and is not there fails all', async () => {
    const known = aParcel();
    await inTx((tx) => parcels.insert(tx, known));
    await expect(inTx((tx) => parcels.update(tx, [{ ...known, status: 'sent' }, aParcel()]))).rejects.toThrow(
      'all rows of parcel are written',
    );
    expect(await inTx((tx) => parcels.get(tx, known.id))).toEqual(known);
  });

  it('saves new rows and known ones', async () => {
    const [known, added] = [aParcel(), aParcel()];
    await inTx((tx) => parcels.insert(tx, known));
    await inTx((tx) => parcels.save(tx, [{ ...known, status: 'sent', customerId: newUuid() }, added]));
    expect(await inTx((tx) => parcels.get(tx, known.id))).toEqual({ ...known, status: 'sent' });
    expect(await inTx((tx) => parcels.get(tx, added.id))).toEqual(added);
  });

  it('knows keys of several columns and of the tenant alone', async () => {
    const parcelId = newUuid();
    await inTx((tx) =>
      stops.insert(
        tx,
        [1, 2].map((position) => ({ parcelId, position, city: 'Kiel' })),
      ),
    );
    await inTx((tx) => stops.update(tx, { parcelId, position: 2, city: 'Bonn' }));
    await inTx((tx) =>
      stops.save(tx, [
        { parcelId, position: 1, city: 'Jena' },
        { parcelId, position: 3, city: 'Ulm' },
      ]),
    );
    const cities = await inTx((tx) => stops.find(tx, { parcelId }, { orderBy: { position: 'asc' } }));
    expect(cities.map((stop) => stop.city)).toEqual(['Jena', 'Bonn', 'Ulm']);
    expect(await inTx((tx) => stops.delete(tx, { parcelId, position: [1, 2] }))).toBe(2);
    await inTx((tx) => depots.save(tx, { city: 'Kiel' }));
    await inTx((tx) => depots.update(tx, { city: 'Bonn' }));
    expect(await inTx((tx) => depots.findOne(tx, {}))).toEqual({ tenantId, city: 'Bonn' });
  });

  it("neither sees nor writes another tenant's rows", async () => {
    const row = aParcel();
    await inTx((tx) => parcels.insert(tx, row));
    const other = newUuid();
    expect(await inTx((tx) => parcels.get(tx, row.id), other)).toBeNull();
    expect(await inTx((tx) => parcels.findByIds(tx, [row.id]), other)).toEqual([]);
    expect(await inTx((tx) => parcels.delete(tx, { id: row.id }), other)).toBe(0);
    await expect(inTx((tx) => parcels.insert(tx, aParcel()), other)).rejects.toThrow("rows of parcel are the tenant's");
    const { tenantId: _, ...foreign } = row;
    await expect(inTx((tx) => parcels.update(tx, foreign), other)).rejects.toThrow('all rows of parcel are written');
  });

  it('reads and changes many rows by the index, under row-level security', async () => {
    const tenant = newUuid();
    const row = aParcel({ tenantId: tenant });
    await db.peek('DELETE FROM parcel');
    await inTx((tx) => parcels.insert(tx, row), tenant);
    await multiplyRow(db, 'parcel', { id: 'gen_random_uuid()', customer_id: 'gen_random_uuid()', order: '100000 + n' });
    const rows = await inTx((tx) => parcels.where(tx, 'true LIMIT 300'), tenant);
    const ids = rows.map(({ id }) => id);
    const sent = await statementsOf(() =>
      inTx(async (tx) => {
        await parcels.findByIds(tx, ids);
        await parcels.update(tx, rows, ['status']);
        await parcels.find(tx, { id: ids.slice(0, 5) });
      }, tenant),
    );
    for (const { text, params } of sent.filter((statement) => /\bparcel\b/.test(statement.text))) {
      expect(await usesIndexOn(db, 'id', text, params, tenant)).toBe(true);
      const plan = await inTx((tx) => tx.query<object>(`EXPLAIN ${text}`, params), tenant);
      expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    }
  });
});
