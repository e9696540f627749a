import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { tablesWithoutPolicy, testDatabase, type TestDatabase, usesIndexOn } from '@kontor/testing';
import pg from 'pg';
import { assertNoDrift, PERSISTENCE_TABLES_WITHOUT_POLICY, requestScope } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

describe('a tenant transaction', () => {
  let db: TestDatabase;
  const [tenant, theirs] = [newUuid(), newUuid()];

  beforeAll(async () => {
    db = await testDatabase('notes', noteMigrations, [NoteRow]);
    for (const owner of [tenant, theirs])
      await db.database.tenant(owner, (tx) => notes.insert(tx, aNote(owner, `of ${owner}`)));
  });
  afterAll(() => db.drop());

  const titles = (tenant: string): Promise<unknown[]> =>
    db.database.tenant(tenant, (tx) => tx.query('SELECT title FROM note'));

  it("sees its tenant's rows only, without any condition", async () => {
    expect(await titles(tenant)).toEqual([{ title: `of ${tenant}` }]);
    expect(await titles(theirs)).toEqual([{ title: `of ${theirs}` }]);
    expect(await titles(newUuid())).toEqual([]);
  });

  it("neither reads, changes, deletes nor makes another tenant's rows", async () => {
    await db.database.tenant(tenant, async (tx) => {
      expect(await tx.query('SELECT 1 FROM note WHERE tenant_id = $1', [theirs])).toEqual([]);
      expect(await tx.query(`UPDATE note SET title = 'stolen' WHERE tenant_id = $1 RETURNING 1`, [theirs])).toEqual([]);
      expect(await tx.query('DELETE FROM note WHERE tenant_id = $1 RETURNING 1', [theirs])).toEqual([]);
    });
    const copy = `INSERT INTO note (tenant_id, id, title, price_amount, created_at)
      SELECT $1, gen_random_uuid(), title, price_amount, created_at FROM note`;
    await expect(db.database.tenant(tenant, (tx) => tx.query(copy, [theirs]))).rejects.toThrow(/row-level security/);
    await expect(
      db.database.tenant(tenant, (tx) => tx.query('UPDATE note SET tenant_id = $1', [theirs])),
    ).rejects.toThrow(/row-level security/);
    expect(await titles(theirs)).toEqual([{ title: `of ${theirs}` }]);
  });

  it('writes nothing to a database that is older than what others know of it, and reads on', async () => {
    const write = (): Promise<unknown> => db.database.tenant(tenant, (tx) => tx.query('UPDATE note SET title = title'));
    db.database.writes.refuse(new Error('put back from a backup'));
    await expect(write()).rejects.toMatchObject({ kind: 'unavailable', reason: 'service_unavailable' });
    const read = await db.database.tenant(tenant, (tx) => tx.query('SELECT title FROM note'), { readOnly: true });
    expect(read).toHaveLength(1);
    db.database.writes.refuse(null);
    await write();
  });

  it('has requests that write wait until it is known whether it is older, while all else goes on', async () => {
    const order: string[] = [];
    const asRequest = <T>(work: () => Promise<T>): Promise<T> =>
      requestScope.run({ turn: { arrivedAt: performance.now(), begun: false } }, work);
    const write = (name: string): Promise<unknown> =>
      db.database.tenant(tenant, (tx) => tx.query('UPDATE note SET title = title')).then(() => order.push(name));
    const read = (): Promise<unknown> => db.database.tenant(tenant, async () => order.push('read'), { readOnly: true });
    db.database.writes.holdRequests();
    const refused = expect(asRequest(() => write('refused'))).rejects.toMatchObject({ reason: 'service_unavailable' });
    await asRequest(read);
    await write('due work');
    db.database.writes.refuse(new Error('put back from a backup'));
    await refused;
    db.database.writes.refuse(null);
    db.database.writes.holdRequests();
    const written = asRequest(() => write('written'));
    await asRequest(read);
    db.database.writes.endHold();
    await written;
    expect(order).toEqual(['read', 'due work', 'read', 'written']);
  });

  it('leaves no tenant behind on its connection, also after a failure', async () => {
    await expect(
      db.database.tenant(tenant, async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    for (let n = 0; n < 10; n++) expect(await db.database.system((sql) => sql.query('SELECT 1 FROM note'))).toEqual([]);
  });

  it('cannot be bypassed by the app role or the owner', async () => {
    for (const url of [db.appUrl, db.ownerUrl]) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      expect((await client.query('SELECT 1 FROM note')).rowCount).toBe(0);
      await client.query('SET row_security = off');
      await expect(client.query('SELECT 1 FROM note')).rejects.toThrow(/row-level security/);
      await client.end();
    }
    const { rows } = {
      rows: await db.peek<{ rolname: string }>(
        `SELECT rolname FROM pg_roles WHERE rolname LIKE 'kontor_notes%' AND (rolsuper OR rolbypassrls OR rolcreaterole)`,
      ),
    };
    expect(rows).toEqual([]);
  });

  it('the app role cannot change the schema nor become another role', async () => {
    const client = new pg.Client({ connectionString: db.appUrl });
    await client.connect();
    await expect(client.query('CREATE TABLE forbidden (a int)')).rejects.toThrow(/permission denied/);
    await expect(client.query('ALTER TABLE note DISABLE ROW LEVEL SECURITY')).rejects.toThrow(/must be owner/);
    await expect(client.query('SET ROLE kontor_notes_owner')).rejects.toThrow(/permission denied/);
    await expect(client.query('SET ROLE kontor_notes_lookup')).rejects.toThrow(/permission denied/);
    await client.end();
  });

  it('only infrastructure tables have no policy', async () => {
    expect(await tablesWithoutPolicy(db)).toEqual([...PERSISTENCE_TABLES_WITHOUT_POLICY].sort());
  });

  it('conditions on text and uuid columns still reach their index', async () => {
    expect(
      await usesIndexOn(db, 'id', 'SELECT 1 FROM note WHERE tenant_id = $1 AND id = $2', [tenant, newUuid()], tenant),
    ).toBe(true);
    expect(
      await usesIndexOn(db, 'title', 'SELECT 1 FROM note WHERE tenant_id = $1 AND title = $2', [tenant, 'x'], tenant),
    ).toBe(false);
  });

  it('a look-up before the tenant is known returns tenant and id, and the table stays closed', async () => {
    const found = await db.database.system((sql) => sql.query('SELECT * FROM note_by_title($1)', [`of ${theirs}`]));
    expect(found).toEqual([{ tenant_id: theirs, id: expect.any(String) }]);
  });

  it('brings values back as they were', async () => {
    await db.database.tenant(tenant, async (tx) => {
      const note = aNote(tenant, 'exact');
      await notes.save(tx, note);
      expect(await notes.get(tx, note.id)).toEqual(note);
      const [raw] = await tx.query(
        'SELECT price_amount, created_at, extra, 1.50::numeric AS rate, $2::date AS day FROM note WHERE id = $1',
        [note.id, '2026-03-29'],
      );
      expect(raw).toEqual({
        price_amount: 9_007_199_254_740_993n,
        created_at: note.createdAt,
        extra: { a: [1] },
        rate: '1.50',
        day: '2026-03-29',
      });
    });
  });

  it('save stays inside the transaction', async () => {
    const tenant = newUuid();
    await expect(
      db.database.tenant(tenant, async (tx) => {
        await notes.save(tx, aNote(tenant));
        throw new Error('after all no');
      }),
    ).rejects.toThrow('after all no');
    expect(await titles(tenant)).toEqual([]);
  });

  it('refuses a second transaction inside of it', async () => {
    await expect(db.database.tenant(tenant, () => db.database.tenant(tenant, async () => 1))).rejects.toThrow(
      /already open/,
    );
  });

  it('runs again after a deadlock', async () => {
    const tenant = newUuid();
    const [a, b] = [aNote(tenant, 'a'), aNote(tenant, 'b')];
    await db.database.tenant(tenant, (tx) => notes.insert(tx, [a, b]));
    const touch = (first: string, second: string): Promise<unknown> =>
      db.database.tenant(tenant, async (tx) => {
        for (const id of [first, second]) {
          await tx.query(`UPDATE note SET title = title || '+' WHERE id = $1`, [id]);
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      });
    await Promise.all([touch(a.id, b.id), touch(b.id, a.id)]);
    expect(await db.database.tenant(tenant, (tx) => tx.query('SELECT title FROM note ORDER BY title'))).toEqual([
      { title: 'a++' },
      { title: 'b++' },
    ]);
  });

  it('rows and migrations agree', () => assertNoDrift(db.database, [NoteRow]));
});
