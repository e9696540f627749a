import type { GatewayOutcome } from '../../domain/collections.js';
import type { GatewayCharge, PaymentGateway } from './payment-gateway.js';

/** Takes everything. For trying out and for sandboxes. */
export const testingGateway: PaymentGateway = {
  name: 'testing',
  collect: (charges) =>
    Promise.resolve(
      new Map(charges.map((charge): [string, GatewayOutcome] => [charge.id, { status: 'succeeded', reference: `testing_${charge.id}` }])),
    ),
};

/** Fails when the minor units end in 13, needs the payer's action when they end in 17, takes all else. */
export const fakeProviderGateway: PaymentGateway = {
  name: 'fake_provider',
  collect: (charges) => Promise.resolve(new Map(charges.map((charge): [string, GatewayOutcome] => [charge.id, outcomeOf(charge)]))),
};

function outcomeOf({ id, amountMinor }: GatewayCharge): GatewayOutcome {
  const reference = `fake_${id}`;
  if (amountMinor % 100n === 13n) return { status: 'declined', reason: 'card_declined' };
  if (amountMinor % 100n === 17n) return { status: 'action_required', reference };
  return { status: 'succeeded', reference };
}
