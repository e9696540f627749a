import { scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { GATEWAY_TRAITS, type GatewayName } from '../domain/payment-methods/payment-method.js';
import { REVOKE_METHOD } from '../due-kinds.js';
import { methods, type PaymentMethod } from './payment-method.row.js';

/** Gateways whose methods a provider outside knows. */
export const REGISTERING = Object.entries(GATEWAY_TRAITS).flatMap(([name, { registers }]) => (registers ? name : []));

/** Nobody can charge these methods any more, once their providers have answered. */
export async function giveUp(tx: TenantTx, given: readonly PaymentMethod[]): Promise<void> {
  const works = given
    .filter(
      ({ referenceId, gatewayName }) => referenceId !== null && GATEWAY_TRAITS[gatewayName as GatewayName].registers,
    )
    .map(({ id }) => ({ kind: REVOKE_METHOD, ref: id, dueAt: new Date(), wall: true }));
  await scheduleDueMany(tx, works);
}

/** {@link giveUp}, by their ids. */
export async function giveUpAtProviders(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await giveUp(tx, await methods.where(tx, 'id = ANY ($2::uuid[])', [ids]));
}
