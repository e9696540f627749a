import { type DueWork, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { GATEWAY_TRAITS, type GatewayName } from '../domain/payment-methods/payment-method.js';
import { REVOKE_METHOD } from '../due-kinds.js';
import { methods, type PaymentMethod } from './payment-method.row.js';

/** Gateways whose methods a provider outside knows. */
export const REGISTERING = Object.entries(GATEWAY_TRAITS).flatMap(([name, { registers }]) => (registers ? name : []));

const NO_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 1_000;

const isAtProvider = ({ referenceId, gatewayName }: PaymentMethod): boolean =>
  referenceId !== null && GATEWAY_TRAITS[gatewayName as GatewayName].registers;

const works = (refs: readonly string[]): DueWork[] =>
  refs.map((ref) => ({ kind: REVOKE_METHOD, ref, dueAt: new Date(), wall: true }));

/** Nobody can charge these methods any more, once their providers have answered. */
export async function giveUp(tx: TenantTx, given: readonly PaymentMethod[]): Promise<void> {
  await scheduleDueMany(tx, works(given.filter(isAtProvider).map(({ id }) => id)));
}

/** {@link giveUp}, by their ids. */
export async function giveUpAtProviders(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await giveUp(tx, await methods.where(tx, 'id = ANY ($2::uuid[])', [ids]));
}

/** {@link giveUp} of all that the tenant has and had, whose rows go now: the work says all of them that its provider is asked. */
export async function giveUpAll(tx: TenantTx): Promise<void> {
  for (let after = NO_ID; ;) {
    const page = await tx.query<{ id: string; ref: string }>(
      `SELECT id, concat_ws('/', id, gateway_name, reference_id) AS ref FROM payment_method
       WHERE tenant_id = $1 AND id > $2 AND reference_id IS NOT NULL AND gateway_name = ANY ($3::text[])
       ORDER BY id LIMIT ${PAGE}`,
      [tx.tenantId, after, REGISTERING],
    );
    await scheduleDueMany(tx, works(page.map(({ ref }) => ref)));
    if (page.length < PAGE) return;
    after = page.at(-1)!.id;
  }
}

/** What a provider is asked to give up: by the method's row, or, where it is gone, by what the work says itself. */
export function methodOf(ref: string, method: PaymentMethod | undefined): MethodAtProvider {
  const [methodId = ref, gatewayName = '', ...reference] = ref.split('/');
  if (method) return { methodId, gatewayName: method.gatewayName, referenceId: method.referenceId };
  return { methodId, gatewayName, referenceId: reference.join('/') || null };
}

interface MethodAtProvider {
  readonly methodId: string;
  readonly gatewayName: string;
  readonly referenceId: string | null;
}
