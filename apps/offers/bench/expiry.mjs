// Row of `npm run bench`: 100,000 offers that expire at once, found by the periodic check, beside the same UPDATE … RETURNING with its outbox rows
// as plain SQL.
// Run it alone with `npm run bench -- offers`.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tenantChangedV1 } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres, provisionDatabase } from '@kontor/persistence';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import pg from 'pg';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { offersService } from '../dist/index.js';

const COUNT = Number(process.env.BENCH_OFFERS ?? 100_000);

/** Published offers of one tenant whose validity was over an hour ago. */
async function seed(admin, tenantId) {
  await admin.query(
    `INSERT INTO offer (tenant_id, id, version, number, status, customer_id, name, deal_type, acceptance_mode, locale,
       auto_activate_subscription, sections, valid_until, issued_at, current_version_hash, published_version_hash, created_at, updated_at)
     SELECT $1, lpad(n::text, 26, '0'), 1, 'AN-2026-' || lpad(n::text, 6, '0'), 'open', gen_random_uuid(), 'Team', 'new_business', 'click', 'de',
       true, '[{"type": "text", "title": "Team", "text": "Five seats for your team."}]', now() - interval '1 hour', now() - interval '9 days',
       md5(n::text), md5(n::text), now(), now()
     FROM generate_series(1, $2::int) n`,
    [tenantId, COUNT],
  );
}

/** They have not expired yet, and their alarms are set. */
async function rewind(admin, tenantId) {
  await admin.query('UPDATE offer SET expired_for = NULL WHERE tenant_id = $1', [tenantId]);
  await admin.query(
    `INSERT INTO due_work (tenant_id, kind, ref, due_at, poll_at)
     SELECT tenant_id, 'offers.expiry', id, valid_until, valid_until FROM offer WHERE tenant_id = $1`,
    [tenantId],
  );
  await admin.query('TRUNCATE outbox');
  await admin.query('VACUUM ANALYZE offer');
  await admin.query('VACUUM ANALYZE due_work');
}

async function untilNothingIsDue(admin, tenantId) {
  for (;;) {
    const { rowCount } = await admin.query(
      "SELECT 1 FROM due_work WHERE tenant_id = $1 AND kind = 'offers.expiry' LIMIT 1",
      [tenantId],
    );
    if (rowCount === 0) return;
    await sleep(10);
  }
}

/** What a run writes, once more, by one statement a table. */
async function plain(admin, tenantId) {
  await admin.query('BEGIN');
  const { rowCount } = await admin.query(
    `UPDATE offer SET expired_for = valid_until, version = version + 1, updated_at = now()
     WHERE tenant_id = $1 AND status = 'open' AND valid_until <= now() AND expired_for IS DISTINCT FROM valid_until RETURNING id, version`,
    [tenantId],
  );
  await admin.query('INSERT INTO outbox OVERRIDING SYSTEM VALUE SELECT * FROM kept_outbox');
  await admin.query("DELETE FROM due_work WHERE tenant_id = $1 AND kind = 'offers.expiry'", [tenantId]);
  await admin.query('COMMIT');
  if (rowCount !== COUNT) throw new Error(`${rowCount} offers instead of ${COUNT}`);
}

async function measure(service, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const id = randomUUID();
  await service.kit.database.tenant(id, (tx) =>
    service.kit.replicas.apply(tx, 'tenant', id, 1, { ...tenantChangedV1.example.state, id }, false),
  );
  await seed(admin, id);
  const { dueRunner } = service.kit;
  // It finds what is due when it is started, and nothing while the other one is measured.
  await dueRunner.stop();
  const expire = async () => {
    await rewind(admin, id);
    const rate = await rateOf(COUNT, async () => {
      dueRunner.start();
      await untilNothingIsDue(admin, id);
    });
    await dueRunner.stop();
    const { rows } = await admin.query(
      "SELECT count(*)::int AS events FROM outbox WHERE payload::text LIKE '%offer.expired%'",
    );
    if (rows[0].events !== COUNT) throw new Error(`${rows[0].events} events instead of ${COUNT}`);
    return rate;
  };
  await expire();
  await admin.query('CREATE TABLE kept_outbox AS SELECT * FROM outbox');
  const variants = {
    expired: expire,
    updated: async () => {
      await rewind(admin, id);
      return rateOf(COUNT, () => plain(admin, id));
    },
  };
  const { expired, updated } = await interleaved(variants, 3);
  await admin.end();
  return [
    {
      name: `expiry of ${COUNT.toLocaleString('en')} offers`,
      measured: expired,
      limit: updated,
      goal: 0.25,
      unit: 'offers/s',
    },
  ];
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-offers-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'offers', { owner: 'bench', app: 'bench' });
  const service = await startService(offersService, {
    port: 0,
    host: '127.0.0.1',
    bus: new EmbeddedBus(),
    databaseUrls: urls,
    directory: new ServiceDirectory(),
    env: {
      KONTOR_SHAPE: 'embedded',
      LOG_LEVEL: 'silent',
      SECRETS_KEY: '11'.repeat(32),
      DATA_DIR: folder,
      DATABASE_POOL_SIZE: '4',
    },
  });
  try {
    const onDatabase = new URL(adminUrl);
    onDatabase.pathname = new URL(urls.appUrl).pathname;
    return await measure(service, onDatabase.href);
  } finally {
    await service.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
