import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { rowsRead, statementsOf, testDatabase, type TestDatabase } from '@kontor/testing';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

const BATCH = 500;

let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase('notes', noteMigrations, [NoteRow])));
afterAll(() => db.drop());

const write = async (tenantId: string, count: number): Promise<NoteRow[]> => {
  const rows = Array.from({ length: count }, () => aNote(tenantId));
  await db.database.tenant(tenantId, (tx) => notes.insert(tx, rows));
  return rows;
};

const LARGE = 4;

it('a tenant that came after the server had counted others has its rows looked up by their keys', async () => {
  for (let n = 0; n < LARGE; n++) await write(newUuid(), BATCH);
  await db.peek('ANALYZE note');
  const tenantId = newUuid();
  const rows = await write(tenantId, BATCH);
  const [asked] = await statementsOf(() =>
    db.database.tenant(tenantId, (tx) => notes.update(tx, rows, ['title'])),
  ).then((statements) => statements.filter(({ text }) => text.startsWith('UPDATE note')));
  const read = await db.database.tenant(tenantId, (tx) => rowsRead(tx, asked!.text, asked!.params));
  expect(read).toBeLessThan(50 * BATCH);
});

it('of a small tenant all is read without what others have', async () => {
  for (let n = 0; n < LARGE; n++) await write(newUuid(), 4 * BATCH);
  const tenantId = newUuid();
  await write(tenantId, 5);
  await db.peek('ANALYZE note');
  const read = await db.database.tenant(tenantId, (tx) =>
    rowsRead(tx, "SELECT * FROM note WHERE tenant_id = $1 AND title <> ''", [tenantId]),
  );
  expect(read).toBeLessThan(BATCH);
});
