// `npm run check:invariants`: reads the databases of the system whose data folder this is (DATA_DIR, default .data; or
// DATABASE_ADMIN_URL with SECRETS_KEY) and checks every service's promises for every tenant. Exit code 1 when one is broken.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { billingService } from '@kontor/billing';
import { identityService } from '@kontor/identity';
import { invoicingService } from '@kontor/invoicing';
import { notificationsService } from '@kontor/notifications';
import { offersService } from '@kontor/offers';
import { paymentsService } from '@kontor/payments';
import { BlobStore, Database, EmbeddedPostgres } from '@kontor/persistence';
import { checkInvariants, databasePasswords, describeViolations, startAdvice } from '@kontor/service-kit';
import { usageService } from '@kontor/usage';
import { webhooksService } from '@kontor/webhooks';

const services = [
  identityService,
  billingService,
  invoicingService,
  paymentsService,
  usageService,
  offersService,
  webhooksService,
  notificationsService,
];
const dataDir = resolve(process.env.DATA_DIR || '.data');
const secret = process.env.SECRETS_KEY || read(join(dataDir, 'secrets.key'));
// Where no database was ever made, none is made here.
if (!process.env.DATABASE_ADMIN_URL && !existsSync(join(dataDir, 'postgres.password'))) refuse();
const server = process.env.DATABASE_ADMIN_URL ? undefined : new EmbeddedPostgres();

function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return refuse();
  }
}

function refuse(line = `There is no system in ${dataDir}: set DATA_DIR, or DATABASE_ADMIN_URL and SECRETS_KEY.`) {
  console.error(line);
  process.exit(1);
}

/** A server that is already up is used as it is; one that was down is stopped again. */
const wasUp = server ? await isUp() : true;
async function isUp() {
  try {
    process.kill(JSON.parse(readFileSync(join(dataDir, 'connection.json'), 'utf8')).pid, 0);
    return true;
  } catch {
    return false;
  }
}
const adminUrl =
  process.env.DATABASE_ADMIN_URL ||
  (await server.start(dataDir).catch((error) => refuse(startAdvice(error) ?? error.stack))).adminUrl;

function appUrl(name) {
  const url = new URL(adminUrl);
  url.username = `kontor_${name}_app`;
  url.password = databasePasswords(secret, name).app;
  url.pathname = `/kontor_${name}`;
  return url.href;
}

/** Connections end with this process, and the server ends what they were doing. */
async function end(code) {
  if (!wasUp) await server.stop();
  process.exit(code);
}
process.once('SIGINT', () => void end(130)).once('SIGTERM', () => void end(143));

const connect = ({ name, rows }) => Database.connect({ serviceName: name, appUrl: appUrl(name), rows });

const identity = await connect(identityService);
const tenantIds = [];
for (let after = '00000000-0000-0000-0000-000000000000'; after;) {
  const rows = await identity.system((sql) => sql.query('SELECT id FROM all_tenant_ids($1, 500)', [after]));
  tenantIds.push(...rows.map((row) => row.id));
  after = rows.at(-1)?.id;
}
await identity.close();

/** So many lines of a rule are printed over all tenants; the others are counted. */
const PRINTED = 20;
let broken = 0;
for (const service of services) {
  const database = await connect(service);
  const rules = new Map();
  const print = (found) => {
    const rule = rules.get(found.rule) ?? { lines: 0, count: 0 };
    rules.set(found.rule, rule);
    for (const line of describeViolations({ ...found, count: found.examples.length }))
      if (rule.lines++ < PRINTED) console.log(`  ${line}`);
    rule.count += found.count;
  };
  const blobs = new BlobStore(join(process.env.BLOB_DIR ?? join(dataDir, 'blobs'), service.name));
  const count = await checkInvariants(database, service.invariants, tenantIds, { onViolations: print, blobs });
  await database.close();
  broken += count;
  for (const [rule, found] of rules) if (found.count > PRINTED) console.log(`  ${rule}: ${found.count} in all`);
  console.log(`${service.name}: ${count === 0 ? 'all hold' : `${count} broken`}`);
}
console.log(`${tenantIds.length} tenants checked, ${broken} violations`);
await end(broken === 0 ? 0 : 1);
