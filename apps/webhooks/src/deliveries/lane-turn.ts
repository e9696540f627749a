import { Injectable } from '@nestjs/common';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { type Reach, reachOf, SecretBox, ServiceConfig } from '@kontor/service-kit';
import type { TenantState } from '@kontor/contracts';
import { healthAfter, FAILING_DAYS_LIMIT } from '../domain/endpoints/failing-days.js';
import { type AttemptResult, type Verdict, verdictOf } from '../domain/deliveries/outcome.js';
import { nextDelaySeconds } from '../domain/deliveries/retry-schedule.js';
import { disableEndpoint } from '../endpoints/disable-endpoint.js';
import { type EndpointRow, endpoints, lockEndpoint } from '../endpoints/endpoint.row.js';
import type { DeliveryRow } from '../delivery-queue/delivery.row.js';
import { endPortion, refreshHeads } from '../delivery-queue/delivery-queue.js';

/** Longer than an attempt can take; a lease ends before when its process has died. */
const LEASE_SECONDS = 30;

export interface ClaimedDelivery {
  readonly id: string;
  readonly objectId: string;
  /** Attempts since it was created or delivered again by hand. */
  readonly round: number;
  readonly eventType: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: string;
}

export interface Outcome {
  readonly delivery: ClaimedDelivery;
  readonly result: AttemptResult;
}

export interface Turn {
  readonly claimed: ClaimedDelivery[];
  readonly target: { url: string; secret: string; reach: Reach } | null;
  /** Milliseconds until the endpoint's next attempt is due; null when nothing waits. */
  readonly nextInMs: number | null;
  /** Something was ended that waited for a disabled endpoint, and more may be waiting. */
  readonly goesOn?: boolean;
}

export interface TurnRequest {
  readonly tenantId: string;
  readonly endpointId: string;
  /** Whose leases, as `Presence` names it: a process that froze past its lease settles nothing. */
  readonly lease: string;
  readonly outcomes: readonly Outcome[];
  /** How many more attempts may be started. */
  readonly capacity: number;
}

/** One transaction of an endpoint's lane: settles the attempts that ended, claims the next. */
@Injectable()
export class LaneTurn {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly config: ServiceConfig,
    private readonly secrets: SecretBox,
  ) {}

  execute(request: TurnRequest): Promise<Turn> {
    return this.database.tenant(request.tenantId, async (tx) => {
      const endpoint =
        request.outcomes.length > 0 ? await this.settle(tx, request) : await endpoints.get(tx, request.endpointId);
      if (endpoint && !endpoint.enabled) return { ...NOTHING, goesOn: await endForDisabled(tx, endpoint.id) };
      if (!endpoint) return NOTHING;
      const claimed = request.capacity > 0 ? await claim(tx, request) : [];
      const nextInMs = claimed.length < request.capacity ? await nextDueIn(tx, request.endpointId) : null;
      const target =
        claimed.length > 0
          ? {
              url: endpoint.url,
              secret: this.secrets.open(endpoint.secret, endpoint.id),
              reach: await this.reachOf(tx),
            }
          : null;
      return { claimed, target, nextInMs };
    });
  }

  /** A tenant that is not known here yet gets the narrow reach. */
  private async reachOf(tx: TenantTx): Promise<Reach> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    return reachOf(tenant?.mode ?? 'live', this.config.publicUrl);
  }

  /** Objects are locked last: the consumer that adds to their queues locks the endpoint before them. */
  private async settle(tx: TenantTx, { endpointId, lease, outcomes }: TurnRequest): Promise<EndpointRow | null> {
    const settled = await storeOutcomes(
      tx,
      lease,
      outcomes.map((outcome) => this.decide(outcome)),
    );
    const counted = outcomes.filter(({ delivery }) => settled.has(delivery.id));
    const endpoint = await judge(tx, endpointId, counted);
    const ended = counted.filter(({ delivery }) => settled.get(delivery.id) !== 'pending');
    if (ended.length > 0)
      await refreshHeads(
        tx,
        endpointId,
        ended.map(({ delivery }) => delivery.objectId),
      );
    return endpoint;
  }

  private decide(outcome: Outcome): Decision {
    const verdict = verdictOf(outcome.result);
    const delaySeconds =
      verdict === 'failed'
        ? nextDelaySeconds(this.config.webhookRetrySeconds, outcome.delivery.round + 1, Math.random())
        : null;
    return { ...outcome, verdict, delaySeconds };
  }
}

const NOTHING: Turn = { claimed: [], target: null, nextInMs: null };

/** A portion of what waits for a disabled endpoint. Who enables it again waits for the end of the transaction. */
async function endForDisabled(tx: TenantTx, endpointId: string): Promise<boolean> {
  const endpoint = await endpoints.get(tx, endpointId, { lock: 'share' });
  if (!endpoint) return false;
  return endpoint.enabled || (await endPortion(tx, endpointId));
}

/** Updates the endpoint's health, and disables it when it is gone or has failed for too long. */
async function judge(tx: TenantTx, endpointId: string, outcomes: readonly Outcome[]): Promise<EndpointRow | null> {
  const seen = await endpoints.get(tx, endpointId);
  const verdicts = outcomes.map(({ result }) => verdictOf(result));
  const gone = verdicts.includes('gone');
  const attempts = { succeeded: verdicts.includes('delivered'), failed: verdicts.includes('failed') };
  const today = new Date().toISOString().slice(0, 10);
  if (!seen?.enabled || (!gone && healthAfter(seen, attempts, today).failingDay === seen.failingDay)) return seen;
  const endpoint = await lockEndpoint(tx, endpointId);
  if (!endpoint?.enabled) return endpoint;
  if (gone) return disableEndpoint(tx, endpoint, 'gone');
  const health = healthAfter(endpoint, attempts, today);
  await endpoints.update(tx, { ...endpoint, ...health }, ['failingDays', 'failingDay']);
  return health.failingDays >= FAILING_DAYS_LIMIT ? disableEndpoint(tx, endpoint, 'failing') : endpoint;
}

interface Decision extends Outcome {
  readonly verdict: Verdict;
  readonly delaySeconds: number | null;
}

const statusAfter = ({ verdict, delaySeconds }: Decision): DeliveryRow['status'] => {
  if (verdict === 'delivered') return 'delivered';
  return delaySeconds === null ? 'failed' : 'pending';
};

/** Writes attempts and new states of those deliveries whose lease is still held. Returns their status by id. */
async function storeOutcomes(
  tx: TenantTx,
  lease: string,
  decisions: readonly Decision[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; status: string }>(
    `WITH o AS (
       SELECT *
       FROM unnest($3::text[], $4::text[], $5::float8[], $6::timestamptz[], $7::integer[], $8::integer[], $9::text[])
         AS o (id, status, delay, at, response_status, duration_ms, error)
     ), settled AS (
       UPDATE delivery d SET status = o.status, head = o.status = 'pending', attempts = d.attempts + 1,
         round = d.round + 1, lease = NULL, lease_until = NULL,
         next_attempt_at = now() + make_interval(secs => o.delay)
       FROM o
       WHERE d.tenant_id = $1 AND d.id = o.id AND d.lease = $2
       RETURNING d.id, d.attempts, d.status
     ), noted AS (
       INSERT INTO delivery_attempt (tenant_id, delivery_id, n, at, response_status, duration_ms, error)
       SELECT $1, s.id, s.attempts, o.at, o.response_status, o.duration_ms, o.error FROM settled s JOIN o USING (id)
     )
     SELECT id, status FROM settled`,
    [
      tx.tenantId,
      lease,
      decisions.map((decision) => decision.delivery.id),
      decisions.map(statusAfter),
      decisions.map((decision) => decision.delaySeconds),
      decisions.map((decision) => decision.result.at),
      decisions.map((decision) => decision.result.responseStatus),
      decisions.map((decision) => decision.result.durationMs),
      decisions.map((decision) => decision.result.error),
    ],
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

async function claim(tx: TenantTx, { endpointId, lease, capacity }: TurnRequest): Promise<ClaimedDelivery[]> {
  const rows = await tx.query<Omit<ClaimedDelivery, 'sequence'> & { sequence: bigint }>(
    // Materialized: joined instead, the limited sub-select may run once per row and claim more than the limit (seen). Each event by its
    // key: joined instead, all that the tenant ever had are read where many claims are expected (seen).
    `WITH due AS MATERIALIZED (
       SELECT id
       FROM delivery
       WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND head AND next_attempt_at <= now()
         AND (lease_until IS NULL OR lease_until < now() OR (lease <> $3 AND NOT process_runs(lease)))
       ORDER BY next_attempt_at, id
       LIMIT $4
       FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE delivery SET lease = $3, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
       WHERE tenant_id = $1 AND id = ANY (ARRAY(SELECT id FROM due))
       RETURNING id, object_id, round, event_id
     )
     SELECT c.id, c.object_id AS "objectId", c.round, e.type AS "eventType", e.sequence,
       e.created_at AS "createdAt", e.data
     FROM claimed c CROSS JOIN LATERAL (
       SELECT type, sequence, created_at, data FROM webhook_event WHERE tenant_id = $1 AND id = c.event_id LIMIT 1) e
     ORDER BY c.id`,
    [tx.tenantId, endpointId, lease, capacity],
  );
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}

async function nextDueIn(tx: TenantTx, endpointId: string): Promise<number | null> {
  const [row] = await tx.query<{ ms: number | null }>(
    `SELECT (extract(epoch FROM greatest(next_attempt_at, coalesce(lease_until, next_attempt_at)) - now())
       * 1000)::float8 AS ms
     FROM delivery
     WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'pending' AND head AND lease IS NULL
     ORDER BY next_attempt_at
     LIMIT 1`,
    [tx.tenantId, endpointId],
  );
  return row?.ms ?? null;
}
