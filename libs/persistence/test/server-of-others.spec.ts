import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  Database,
  EmbeddedPostgres,
  migrate,
  persistenceMigrations,
  provisionDatabase,
  rolesOf,
} from '../src/index.js';
import { openSession } from '../src/open-session.js';
import { aNote, noteMigrations, NoteRow, notes } from './support.js';

/** As some have them for what they had before; most of all that, at once, nobody has. */
const SETTINGS = [
  `DateStyle = 'SQL, DMY'`,
  `IntervalStyle = 'sql_standard'`,
  `TimeZone = 'America/New_York'`,
  'extra_float_digits = -3',
  'standard_conforming_strings = off',
  `default_transaction_isolation = 'serializable'`,
  `search_path = 'pg_catalog'`,
];

type Session = Awaited<ReturnType<typeof openSession>>;

const urlOf = (adminUrl: string, role: string, password: string, database: string): string =>
  Object.assign(new URL(adminUrl), { username: role, password, pathname: `/${database}` }).href;

describe('a server whose settings and language are others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-of-others-'));
  const server = new EmbeddedPostgres({ durable: false });
  let adminUrl: string;
  let admin: Session;
  let database: Database;

  beforeAll(async () => {
    ({ adminUrl } = await server.start(folder));
    admin = await openSession(adminUrl, 'test');
    // What is made without saying more is made like this one.
    await admin.query('ALTER DATABASE template1 RENAME TO template_before');
    await admin.query(
      `CREATE DATABASE template1 IS_TEMPLATE true TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    for (const setting of SETTINGS) await admin.query(`ALTER ROLE ALL SET ${setting}`);
    const { ownerUrl, appUrl } = await provisionDatabase(adminUrl, 'notes', { owner: 'test-owner', app: 'test-app' });
    await migrate(ownerUrl, [...persistenceMigrations, ...noteMigrations], rolesOf('notes'));
    database = await Database.connect({ serviceName: 'notes', appUrl, rows: [NoteRow] });
  });
  afterAll(async () => {
    await database?.close();
    await admin?.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps instants and days as they are', async () => {
    const tenantId = newUuid();
    // The second day of a month: its day and month could change places.
    const note = aNote(tenantId, 'a day', new Date('2026-03-02T03:04:05.006Z'));
    await database.tenant(tenantId, (tx) => notes.insert(tx, note));
    expect(await database.tenant(tenantId, (tx) => notes.get(tx, note.id))).toEqual(note);
    const [row] = await database.statement(
      `SELECT '2026-03-02'::date AS day, '2026-03-02T03:04:05.006Z'::timestamptz::date::text AS today,
         interval '1 day 2 hours'::text AS span, 0.1::float8 + 0.2::float8 AS sum, length('a\\b') AS length`,
    );
    expect(row).toEqual({ day: '2026-03-02', today: '2026-03-02', span: '1 day 02:00:00', sum: 0.1 + 0.2, length: 3 });
  });

  it('has transactions see what others have committed since they began', async () => {
    const [row] = await database.statement('SHOW transaction_isolation');
    expect(row).toEqual({ transaction_isolation: 'read committed' });
  });

  it('compares texts byte by byte, and makes letters small as everywhere', async () => {
    const [row] = await database.statement(
      `SELECT 'z' < '~' AS last, 'a-b' < 'aa' AS hyphen, lower('INFO Ä') AS small`,
    );
    expect(row).toEqual({ last: true, hyphen: true, small: 'info ä' });
  });

  it('takes databases and roles also from who may make these and is no superuser, at each start', async () => {
    await admin.query(`CREATE ROLE manager LOGIN CREATEDB CREATEROLE PASSWORD 'm'`);
    const start = () =>
      provisionDatabase(
        urlOf(adminUrl, 'manager', 'm', 'postgres'),
        'managed',
        { owner: 'o', app: 'a' },
        { ingest: true },
      );
    const { ownerUrl, appUrl } = await start();
    await admin.query('ALTER ROLE kontor_managed_app CREATEDB');
    await start();
    await migrate(ownerUrl, [...persistenceMigrations, ...noteMigrations], rolesOf('managed'));
    const app = await openSession(appUrl, 'test');
    expect((await app.query('SELECT rolcreatedb FROM pg_roles WHERE rolname = current_user')).rows).toEqual([
      { rolcreatedb: false },
    ]);
    expect((await app.query(`SELECT id FROM note_by_title('none')`)).rows).toEqual([]);
    await app.end();
  });

  it('takes databases made by hand as the page on deployment says', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../deploy/README.md'), 'utf8');
    const [, sql] = /```sql\n([^`]*)```/.exec(page)!;
    const [outside, inside] = sql!.replaceAll('billing', 'by_hand').split(/^-- .*$/m);
    for (const statement of outside!.split(';').filter((text) => text.trim())) await admin.query(statement);
    const { username, password } = new URL(adminUrl);
    const there = await openSession(urlOf(adminUrl, username, password, 'kontor_by_hand'), 'test');
    await there.query(inside!);
    await there.end();
    const ownerUrl = urlOf(adminUrl, 'kontor_by_hand_owner', 'one', 'kontor_by_hand');
    await migrate(ownerUrl, [...persistenceMigrations, ...noteMigrations], rolesOf('by_hand'));
    const app = await openSession(urlOf(adminUrl, 'kontor_by_hand_app', 'another', 'kontor_by_hand'), 'test');
    expect((await app.query(`SELECT id FROM note_by_title('none')`)).rows).toEqual([]);
    await app.end();
  });
});
