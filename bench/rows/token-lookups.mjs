// A key and a session looked up in a tenant that has 100,000 and 1,000,000 of them, beside a tenant that has ten: through the service's
// own check, one at a time.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@kontor/embedded';
import { VerifyToken } from '@kontor/identity';
import { freePort } from '../../tools/free-port.mjs';
import { Api } from '../../tools/seed/api.mjs';
import { ownerOf } from '../reads/fill.mjs';
import { interleaved, percentile } from '../report.mjs';

const KEYS = Number(process.env.BENCH_KEYS ?? 100_000);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 1_000_000);
const FEW = 10;
const LOOKUPS = 1_000;

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const system = await startSystem({ ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()) });
  try {
    const { baseUrl, apiKey } = system.connection;
    const { tenantId: small } = await new Api(baseUrl, apiKey).post('/sandbox/tenants', { name: 'Few' });
    const { tenantId: crowded } = await new Api(baseUrl, apiKey).post('/sandbox/tenants', { name: 'Many' });
    const identity = await ownerOf(system, 'identity', readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim());
    await fill(identity, small, 'few', FEW, FEW);
    await fill(identity, crowded, 'many', KEYS, SESSIONS);
    await identity.query('VACUUM (ANALYZE) api_key, customer_session');
    await identity.end();
    const verify = system.services.find(({ name }) => name === 'identity').get(VerifyToken);
    return [
      await row(verify, 'api', KEYS, `a key among ${KEYS.toLocaleString('en')}`),
      await row(verify, 'cus', SESSIONS, `a session among ${SESSIONS.toLocaleString('en')}`),
    ];
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Secrets are `api_<name>_<n>` and `cus_<name>_<n>`; no use of them has to be written down. */
async function fill(identity, tenantId, name, keys, sessions) {
  await identity.query(`SELECT set_config('app.tenant', $1, false)`, [tenantId]);
  await identity.query(
    `INSERT INTO api_key (tenant_id, id, name, permissions, digest, last_used_at, created_at)
     SELECT $1, uuidv7(), 'Key ' || n, '["customer:read"]', sha256(convert_to('api_' || $2::text || '_' || n, 'UTF8')),
       now() + interval '1 day', now()
     FROM generate_series(1, $3::int) n`,
    [tenantId, name, keys],
  );
  await identity.query(
    `INSERT INTO customer_session (tenant_id, id, customer_id, access_digest, access_expires_at, refresh_digest, refresh_expires_at)
     SELECT $1, uuidv7(), uuidv7(), sha256(convert_to('cus_' || $2::text || '_' || n, 'UTF8')), now() + interval '1 day',
       sha256(convert_to('ref_' || $2::text || '_' || n, 'UTF8')), now() + interval '1 day'
     FROM generate_series(1, $3::int) n`,
    [tenantId, name, sessions],
  );
}

async function row(verify, kind, count, name) {
  const p99 = (tokenOf) => async (round) => {
    const times = [];
    for (let n = 0; n < LOOKUPS; n += 1) {
      const began = performance.now();
      await verify.execute(tokenOf(round * LOOKUPS + n));
      times.push(performance.now() - began);
    }
    return percentile(times, 0.99);
  };
  const variants = {
    many: p99((n) => `${kind}_many_${((n * 7919) % count) + 1}`),
    few: p99((n) => `${kind}_few_${(n % FEW) + 1}`),
  };
  for (const variant of Object.values(variants)) await variant(99);
  const times = await interleaved(variants, 7);
  return {
    name: `${name}, p99, beside one among ten`,
    measured: times.many,
    limit: times.few,
    goal: 1.5,
    unit: 'ms',
    lowerIsBetter: true,
  };
}
