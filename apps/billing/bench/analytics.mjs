// Row of `npm run bench`: recurring revenue of three years by month through the service, beside a plain GROUP BY over the charges
// of these years. Run it alone with `npm run bench -- analytics`.
import pg from 'pg';
import { interleaved } from '../../../bench/report.mjs';
import { headersFor, onService, tenantOf } from './billing-run.mjs';

const SUBSCRIPTIONS = Number(process.env.BENCH_SUBSCRIPTIONS ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const MONTHS = 36;
const FROM = '2023-01';
const TO = '2025-12';

/** A charge for each month of each subscription; some begin later, some change, some end. */
async function fill(admin, tenant) {
  const monthOf = (n) => `to_char(date '${FROM}-01' + make_interval(months => ${n}), 'YYYY-MM-DD')`;
  await admin.query(
    `INSERT INTO charge (tenant_id, id, subscription_id, item_id, kind, price_plan_id, quantity, currency_code, due_on, service_from, service_to,
       interval_from, interval_to, net_minor, discount_minor, used_to, used_minor, revision, explanation, created_at)
     SELECT s.tenant_id, uuidv7(), s.id, i.id, 'regular', i.price_plan_id, i.quantity, 'EUR', f, f, t, f, t, 4500, 0, t, 4500, 0,
       '{"slices": [], "discounts": [], "minimumPrice": false}', now()
     FROM subscription s
     JOIN subscription_item i ON i.tenant_id = s.tenant_id AND i.subscription_id = s.id AND i.ranking = 0
     CROSS JOIN generate_series(0, ${MONTHS - 1}) n
     CROSS JOIN LATERAL (SELECT ${monthOf('n')} AS f, ${monthOf('n + 1')} AS t) m
     WHERE s.tenant_id = '${tenant}'`,
  );
  await admin.query(`DELETE FROM recurring_movement WHERE tenant_id = '${tenant}'`);
  await admin.query(
    `INSERT INTO recurring_movement (tenant_id, subscription_id, day, currency_code, kind, annual_minor, subscriptions)
     SELECT tenant_id, id, ${monthOf('move.month')}, 'EUR', move.kind, move.annual, move.count
     FROM (SELECT tenant_id, id, (row_number() OVER ())::int AS n FROM subscription WHERE tenant_id = '${tenant}') s
     CROSS JOIN LATERAL (VALUES (n % 24, 'new', 54000, 1), (n % 24 + 3, 'expansion', 6000, 0), (n % 24 + 6, 'contraction', -1200, 0),
       (n % 24 + 9, 'churn', -58800, -1)) move (month, kind, annual, count)
     WHERE n % 3 = 0 OR move.kind <> 'churn'`,
  );
  await admin.query('VACUUM (ANALYZE) charge');
  await admin.query('VACUUM (ANALYZE) recurring_movement');
}

async function measure(service, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const id = await tenantOf(service, admin, SUBSCRIPTIONS);
    await fill(admin, id);
    const times = await measured(service, admin, id);
    return [
      {
        name: `MRR of ${SUBSCRIPTIONS.toLocaleString('en')} subscriptions over ${MONTHS} months, beside GROUP BY of charges`,
        measured: times.report,
        limit: times.plain,
        goal: 0.3,
        unit: 'ms',
        lowerIsBetter: true,
      },
    ];
  } finally {
    await admin.end();
  }
}

async function measured(service, admin, tenant) {
  const headers = headersFor(service, tenant);
  const time = async (work) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const variants = {
    report: () =>
      time(async () => {
        const answer = await fetch(`${service.url}/analytics/mrr?from=${FROM}&to=${TO}`, { headers });
        const { data } = await answer.json();
        if (data?.length !== MONTHS) throw new Error(`answered ${answer.status} with ${data?.length} months`);
      }),
    plain: () =>
      time(async () => {
        const { rows } = await admin.query(
          `SELECT left(service_from, 7) AS month, currency_code, sum(net_minor - discount_minor)
           FROM charge WHERE tenant_id = '${tenant}' GROUP BY 1, 2`,
        );
        if (rows.length !== MONTHS) throw new Error(`${rows.length} months`);
      }),
  };
  for (const variant of Object.values(variants)) await variant();
  return interleaved(variants, ROUNDS);
}

export const run = () => onService(measure);
