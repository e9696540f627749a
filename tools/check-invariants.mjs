// `npm run check:invariants`: checks every service's promises for every tenant. Exit code 1 when one is broken.
import { join } from 'node:path';
import { billingService } from '@kontor/billing';
import { identityService } from '@kontor/identity';
import { invoicingService } from '@kontor/invoicing';
import { notificationsService } from '@kontor/notifications';
import { offersService } from '@kontor/offers';
import { paymentsService } from '@kontor/payments';
import { BlobStore } from '@kontor/persistence';
import { checkInvariants, describeViolations } from '@kontor/service-kit';
import { usageService } from '@kontor/usage';
import { webhooksService } from '@kontor/webhooks';
import { connect, dataDir, end } from './system-databases.mjs';

if (process.argv.length > 2) {
  console.error('Usage: npm run check:invariants, of the system of DATA_DIR, or of DATABASE_ADMIN_URL and SECRETS_KEY');
  await end(1);
}

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

const identity = await connect(identityService.name, identityService.rows);
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
  const database = await connect(service.name, service.rows);
  const rules = new Map();
  const print = (found) => {
    const rule = rules.get(found.rule) ?? { lines: 0, count: 0 };
    rules.set(found.rule, rule);
    for (const line of describeViolations({ ...found, count: found.examples.length }))
      if (rule.lines++ < PRINTED) console.log(`  ${line}`);
    rule.count += found.count;
  };
  const blobs = new BlobStore(join(dataDir, 'blobs', service.name));
  const count = await checkInvariants(database, service.invariants, tenantIds, { onViolations: print, blobs });
  await database.close();
  broken += count;
  for (const [rule, found] of rules) if (found.count > PRINTED) console.log(`  ${rule}: ${found.count} in all`);
  console.log(`${service.name}: ${count === 0 ? 'all hold' : `${count} broken`}`);
}
console.log(`${tenantIds.length} tenants checked, ${broken} violations`);
await end(broken === 0 ? 0 : 1);
