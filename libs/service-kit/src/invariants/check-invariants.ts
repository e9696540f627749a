import type { Tx } from '@kontor/kernel';
import type { BlobStore, Database } from '@kontor/persistence';

/** A promise of a service about its own data. */
export interface Invariant {
  readonly rule: string;
  /** Gives a row per violation, described in `what`. `$1` is the tenant. */
  readonly sql: string;
  /** Looks few rows up in a large table by its index; otherwise whole sets are joined, which needs no statistics. */
  readonly byIndex?: true;
  /** Reads all bytes of large tables: only who asks for it has it checked, and gives it more time. */
  readonly thorough?: true;
}

/** A promise about stored bytes: they are there, and they are what was stored. */
export interface FileInvariant {
  readonly rule: string;
  /** `what`, `key` and `place` of the next stored files behind the place `$2`, in their order. `$1` is the tenant. */
  readonly filesSql: string;
}

/** A promise about rows that may belong to no tenant: it is checked once, over all of them. */
export interface SharedInvariant {
  readonly rule: string;
  /** Gives a row per violation, described in `what`. */
  readonly sharedSql: string;
}

export type ServiceInvariant = Invariant | FileInvariant | SharedInvariant;

/** The violations of one rule, in one tenant where it is about tenants. */
export interface Violations {
  readonly rule: string;
  readonly tenantId: string | null;
  readonly count: number;
  /** Some of them, described. */
  readonly examples: readonly string[];
}

export interface CheckOptions {
  /** Most milliseconds for one rule and tenant; what takes longer is reported as not checked. */
  readonly timeoutMs?: number;
  /** The service's files. With them everything is checked, also what reads all bytes. */
  readonly blobs?: BlobStore;
  /** Called with what was found as soon as it was, so that nothing is kept. */
  readonly onViolations?: (found: Violations) => void;
}

/** A row that waits longer than this says that the relay or the bus is stuck. */
const OLD_MINUTES = 5;
const TIMEOUT_MS = 60_000;
/** So many violations of a rule are described, the others are counted. */
const EXAMPLES = 20;
/** So many times longer may a thorough check take. */
const THOROUGH = 10;
const QUERY_CANCELED = '57014';

/**
 * Checks a service's promises about its own data, tenant by tenant, each in one snapshot, and that its outbox moves.
 * Reads only. Returns the number of violations; a rule that could not be checked in time counts as one.
 */
export async function checkInvariants(
  database: Database,
  promises: readonly ServiceInvariant[] = [],
  tenantIds: readonly string[],
  options: CheckOptions = {},
): Promise<number> {
  const { timeoutMs = TIMEOUT_MS, onViolations = () => undefined } = options;
  const files = promises.filter((promise) => 'filesSql' in promise);
  const invariants = promises
    .filter((promise) => 'sql' in promise)
    .filter((promise) => options.blobs !== undefined || !promise.thorough);
  let total = 0;
  const report = (found: Violations): void => {
    if (found.count === 0) return;
    total += found.count;
    onViolations(found);
  };
  for (const found of await stuckOutbox(database, timeoutMs)) report(found);
  for (const promise of promises)
    if ('sharedSql' in promise) report(await sharedViolations(database, promise, timeoutMs));
  for (const tenantId of invariants.length > 0 ? tenantIds : []) {
    let next = 0;
    const inOneSnapshot = async (tx: Tx): Promise<void> => {
      // Of a deleted tenant is left what has to stay, each for a term of its own.
      if (await isErased(tx)) next = invariants.length;
      while (next < invariants.length) {
        const invariant = invariants[next]!;
        const limitMs = invariant.thorough ? THOROUGH * timeoutMs : timeoutMs;
        report({ tenantId, ...(await violationsOf(tx, invariant, limitMs)) });
        next++;
      }
    };
    while (next < invariants.length) {
      try {
        await database.tenant(tenantId, inOneSnapshot, { readOnly: true });
      } catch (error) {
        // The transaction is over; the rules that are left get another one.
        if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
        const { rule } = invariants[next++]!;
        report({
          rule,
          tenantId,
          count: 1,
          examples: [`not checked: it takes longer than ${timeoutMs / 1000} seconds`],
        });
      }
    }
  }
  for (const tenantId of options.blobs ? tenantIds : [])
    for (const promise of files)
      report({ tenantId, ...(await brokenFiles(database, tenantId, promise, options.blobs as BlobStore)) });
  return total;
}

async function isErased(tx: Tx): Promise<boolean> {
  return (await tx.query('SELECT FROM tenant_erasure WHERE tenant_id = $1', [tx.tenantId])).length > 0;
}

/** Page by page, so that neither a transaction nor memory holds them all. */
async function brokenFiles(
  database: Database,
  tenantId: string,
  { rule, filesSql }: FileInvariant,
  blobs: BlobStore,
): Promise<Omit<Violations, 'tenantId'>> {
  const examples: string[] = [];
  let count = 0;
  for (let after = ''; ;) {
    const page = await database.tenant(
      tenantId,
      (tx) => tx.query<{ what: string; key: string; place: string }>(filesSql, [tenantId, after]),
      { readOnly: true },
    );
    if (page.length === 0) return { rule, count, examples };
    for (const { what, key } of page) {
      if (await blobs.holds(key)) continue;
      count += 1;
      if (examples.length < EXAMPLES) examples.push(what);
    }
    after = page.at(-1)?.place as string;
  }
}

/** What breaks one promise to the transaction's tenant. However much it is, the answer is small. */
export async function violationsOf(
  tx: Tx,
  { rule, sql, byIndex }: Invariant,
  timeoutMs = TIMEOUT_MS,
): Promise<Omit<Violations, 'tenantId'>> {
  await tx.query(bounds(timeoutMs));
  await tx.query(`${planOf(byIndex)}; SET LOCAL work_mem = '64MB'`);
  const [found] = await tx.query<Found>(countOf(sql), [tx.tenantId]);
  return { rule, count: Number(found!.count), examples: found!.examples };
}

interface Found {
  readonly count: bigint;
  readonly examples: string[];
}

const countOf = (sql: string): string =>
  `WITH found AS MATERIALIZED (${sql})
   SELECT (SELECT count(*) FROM found) AS count, ARRAY(SELECT what FROM found LIMIT ${EXAMPLES}) AS examples`;

async function sharedViolations(
  database: Database,
  { rule, sharedSql }: SharedInvariant,
  timeoutMs: number,
): Promise<Violations> {
  const [found] = await database.system(async (sql) => {
    await sql.query(bounds(timeoutMs));
    return sql.query<Found>(countOf(sharedSql));
  });
  return { rule, tenantId: null, count: Number(found!.count), examples: found!.examples };
}

/**
 * How a rule is read: tables that were just filled have no statistics, and what the planner then takes for a few rows of a
 * nested loop are minutes.
 */
export const planOf = (byIndex = false): string =>
  Object.entries({
    enable_nestloop: byIndex,
    enable_hashjoin: !byIndex,
    enable_mergejoin: !byIndex,
    enable_seqscan: !byIndex,
    enable_material: !byIndex,
  })
    .map(([way, allowed]) => `SET LOCAL ${way} = ${allowed ? 'on' : 'off'}`)
    .join('; ');

/** As lines, for people: the first of each rule, and how many more there are. */
export const describeViolations = ({ rule, tenantId, count, examples }: Violations): string[] => {
  const about = tenantId === null ? '' : `tenant ${tenantId}: `;
  const more = count - examples.length;
  return [
    ...examples.map((what) => `${about}${rule}: ${what}`),
    ...(more > 0 ? [`${about}${rule}: ${more} more`] : []),
  ];
};

/** The server ends the statement by itself, also when the client is gone (where the server's platform can notice that). */
const bounds = (timeoutMs: number): string => `
  SET LOCAL statement_timeout = ${timeoutMs};
  DO $$ BEGIN SET LOCAL client_connection_check_interval = '1s'; EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$`;

async function stuckOutbox(database: Database, timeoutMs: number): Promise<Violations[]> {
  const [row] = await database.system(async (sql) => {
    await sql.query(bounds(timeoutMs));
    return sql.query<{ stuck: bigint; quarantined: bigint; parked: bigint }>(
      `SELECT (SELECT count(*) FROM outbox WHERE id > (SELECT last_id FROM relay_state)
                 AND uuid_extract_timestamp(event_id) < now() - make_interval(mins => $1)) AS stuck,
              (SELECT count(*) FROM outbox_quarantine) AS quarantined,
              (SELECT count(*) FROM parked) AS parked`,
      [OLD_MINUTES],
    );
  });
  const about = (rule: string, count: bigint | undefined, what: string): Violations => ({
    rule,
    tenantId: null,
    count: Number(count ?? 0),
    examples: [`${count} ${what}`],
  });
  return [
    about('the outbox moves', row?.stuck, `events wait for more than ${OLD_MINUTES} minutes`),
    about('the bus takes every event', row?.quarantined, 'events were refused for good'),
    about('every message is applied', row?.parked, 'messages are parked'),
  ].map((found) => ({ ...found, count: Math.min(found.count, 1) }));
}
