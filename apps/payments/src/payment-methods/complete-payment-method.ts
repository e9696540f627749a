import type { CustomerState } from '@kontor/contracts';
import { endOfDay, invariant } from '@kontor/kernel';
import { cancelDue, Database, Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomers } from '../customer-books/lock-customers.js';
import type { MethodDetails, PaymentMethod } from './payment-method.row.js';
import { displayName, lastDayOfCard } from '../domain/payment-methods/payment-method.js';
import { chooseDefault, type MethodChange, methodsOf, saveMethods } from './default-method.js';
import { END_METHOD, REGISTER_METHOD } from '../due-kinds.js';
import { methodLinks } from '../db/method-link.row.js';
import { newMethod } from './new-method.js';
import type { RegistrationAnswer } from '../gateways/port/registering-gateway.js';
import { type Registration, registrations } from './registration.row.js';
import { waitForCopies } from './wait-for-copies.js';

/** What became of a registration; `method` is null when the provider refused before there was one. */
export interface Registered {
  readonly registration: Registration;
  readonly method: PaymentMethod | null;
}

/**
 * Takes the provider's word about a method: from the call itself, when the payer came back from its page, or from a
 * call-back. As often as it comes; a decided registration stays decided.
 */
@Injectable()
export class CompletePaymentMethod {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, methodId: string, reported: RegistrationAnswer): Promise<Registered> {
    const changed: PaymentMethod[] = [];
    const result = await this.database.tenant(tenantId, async (tx) => {
      changed.length = 0;
      const seen = await registrations.get(tx, methodId);
      invariant(seen, `the registration ${methodId} was recorded`);
      await lockCustomers(tx, [seen.customerId]);
      const registration = await registrations.get(tx, methodId, { lock: 'update' });
      invariant(registration, 'a registration is never removed');
      const existing = await methodsOf(tx, registration.customerId);
      const method = existing.find((method) => method.id === methodId) ?? null;
      if (registration.state === 'done' || registration.state === 'failed') return { registration, method };
      const answer = (await isForeign(tx, registration, reported)) ? FOREIGN : reported;
      settle(registration, answer);
      await registrations.save(tx, [registration]);
      if (answer.status === 'active' && registration.linkId !== null) await useLink(tx, registration.linkId, methodId);
      if (registration.state !== 'asking') await cancelDue(tx, REGISTER_METHOD, methodId);
      const customer = await this.replicas.get<CustomerState>(tx, 'customer', registration.customerId);
      const changes = await this.apply(tx, {
        registration,
        answer,
        existing,
        method,
        zone: customer?.timeZone ?? 'Europe/Berlin',
      });
      changed.push(...changes.map((change) => change.method));
      return { registration, method: changes.find((change) => change.method.id === methodId)?.method ?? method };
    });
    await waitForCopies(this.freshness, tenantId, changed);
    return result;
  }

  private async apply(
    tx: TenantTx,
    {
      registration,
      answer,
      existing,
      method,
      zone,
    }: {
      registration: Registration;
      answer: RegistrationAnswer;
      existing: readonly PaymentMethod[];
      method: PaymentMethod | null;
      zone: string;
    },
  ): Promise<MethodChange[]> {
    if (answer.status === 'failed') return this.refuse(tx, method, answer.failReason ?? 'refused');
    if (method && method.status === 'gateway_unconfigured' && answer.status === method.status) return [];
    const target = method ?? methodOf(tx, registration);
    const created = method === null;
    target.status = answer.status;
    target.statusReason = answer.status === 'active' ? null : (answer.failReason ?? null);
    target.referenceId = answer.referenceId ?? target.referenceId;
    describe(target, answer, zone);
    const usable = answer.status === 'active' && registration.wantsDefault;
    const others = usable
      ? chooseDefault(created ? [...existing, target] : existing, target).filter((method) => method !== target)
      : [];
    const changes: MethodChange[] = [
      ...others.map((other) => ({ method: other, change: 'updated' as const })),
      { method: target, change: created ? 'created' : 'updated' },
    ];
    await saveMethods(tx, changes);
    if (target.expirationDate)
      await scheduleDue(tx, { kind: END_METHOD, ref: target.id, dueAt: afterIt(target.expirationDate) });
    return changes;
  }

  /** The payer refused, or the provider did: a method that waited for it cannot come to life any more. */
  private async refuse(tx: TenantTx, method: PaymentMethod | null, reason: string): Promise<MethodChange[]> {
    if (!method) return [];
    method.status = 'revoked';
    method.statusReason = reason;
    const changes: MethodChange[] = [{ method, change: 'updated' }];
    await saveMethods(tx, changes);
    return changes;
  }
}

/** A card, account or agreement of one customer pays for nobody else, of whichever tenant: all of them share one account at the provider. */
async function isForeign(
  tx: TenantTx,
  { customerId, gatewayName }: Registration,
  { referenceId }: RegistrationAnswer,
): Promise<boolean> {
  if (referenceId === null) return false;
  const others = await tx.query(
    `SELECT 1 FROM payment_method_at_provider($2, $3) known
     WHERE NOT EXISTS (SELECT FROM payment_method m WHERE m.tenant_id = $1 AND m.id = known.id AND m.customer_id = $4)
     LIMIT 1`,
    [tx.tenantId, gatewayName, referenceId, customerId],
  );
  return others.length > 0;
}

const FOREIGN: RegistrationAnswer = { status: 'failed', referenceId: null, failReason: 'belongs_to_another_customer' };

/** A link that several used at once stays with the first. */
async function useLink(tx: TenantTx, linkId: string, methodId: string): Promise<void> {
  const [link] = await methodLinks.where(tx, 'id = $2 AND method_id IS NULL FOR UPDATE', [linkId]);
  if (!link) return;
  link.methodId = methodId;
  await methodLinks.save(tx, [link]);
}

const afterIt = (at: Date): Date => new Date(at.getTime() + 1);

/** Without credentials the question stays open: it is asked again when they may be there. */
const STATE_AFTER = {
  active: 'done',
  action_required: 'waiting',
  failed: 'failed',
  gateway_unconfigured: 'asking',
} as const;

function settle(registration: Registration, answer: RegistrationAnswer): void {
  registration.referenceId = answer.referenceId ?? registration.referenceId;
  registration.actionUrl = answer.actionUrl ?? registration.actionUrl;
  registration.failReason = answer.failReason ?? null;
  registration.state = STATE_AFTER[answer.status];
}

const methodOf = (tx: TenantTx, r: Registration): PaymentMethod =>
  newMethod(
    tx,
    {
      id: r.id,
      customerId: r.customerId,
      gateway: r.gatewayName,
      source: r.source,
      futureUsageAllowed: r.futureUsageAllowed,
    },
    { referenceId: null },
  );

/**
 * What the provider reports of the card, account or wallet; a card ends with its last month, in the customer's zone.
 */
function describe(method: PaymentMethod, answer: RegistrationAnswer, zone: string): void {
  const details: MethodDetails = {
    ...method.details,
    ...(answer.card !== undefined && { card: answer.card }),
    ...(answer.sepaDebit !== undefined && { account: answer.sepaDebit }),
    ...(answer.onlineWalletProvider !== undefined && { onlineWallet: answer.onlineWalletProvider }),
  };
  method.details = details;
  method.name = displayName(details) ?? method.name;
  const lastDay = details.card ? lastDayOfCard(details.card) : null;
  if (lastDay) method.expirationDate = endOfDay(lastDay, zone);
}
