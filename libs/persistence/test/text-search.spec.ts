import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testDatabase, type TestDatabase } from '@kontor/testing';
import { textSearch } from '../src/index.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

const search = textSearch({ name: 'note_search', table: 'note', id: 'id', columns: ['title'] });

/** More than are looked at before a way is chosen. */
const MANY = 120;

describe('a text search', () => {
  let db: TestDatabase;
  const [tenant, other] = [newUuid(), newUuid()];

  beforeAll(async () => {
    db = await testDatabase('notes', [...noteMigrations, { name: '0002_search', sql: search }], [NoteRow]);
    const add = (owner: string, titles: readonly string[]) =>
      db.database.tenant(owner, (tx) =>
        notes.insert(
          tx,
          titles.map((title) => aNote(owner, title)),
        ),
      );
    const many = (title: string) => Array.from({ length: MANY }, () => title);
    await add(tenant, ['An early invoice of Backhaus', ...many('A letter'), ...many('Invoice of BACKHAUS'), 'Another']);
    await add(other, many('Invoice of Backhaus'));
  });
  afterAll(() => db.drop());

  const found = (pattern: string, limit: number) =>
    db.database.tenant(tenant, async (tx) => {
      const rows = await tx.query<{ title: string }>(
        'SELECT n.title FROM note_search($1, $2) f JOIN note n ON n.tenant_id = $3 AND n.id = f.id',
        [pattern, limit, tenant],
      );
      return rows.map(({ title }) => title);
    });

  it('finds what nearly all of the newest rows contain, early ones included, and nothing of other tenants', async () => {
    expect(await found('%backhaus%', 1000)).toHaveLength(MANY + 1);
    expect(await found('%backhaus%', 1000)).toContain('An early invoice of Backhaus');
  });

  it('finds no more than it is asked for', async () => {
    expect(await found('%Backhaus%', 100)).toHaveLength(100);
    expect(await found('%backhaus%', 3)).toHaveLength(3);
    expect(await found('%letter%', 5)).toEqual(Array(5).fill('A letter'));
  });

  it('finds what few contain', async () => {
    expect(await found('%another%', 10)).toEqual(['Another']);
    expect(await found('%nothing%', 10)).toEqual([]);
  });
});
