import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { GatewayCharge, GatewayRefund, PaymentGateway } from '../port/payment-gateway.js';

const each = <Item extends { readonly id: string }, Outcome>(
  items: readonly Item[],
  outcome: (item: Item) => Outcome,
) => Promise.resolve(new Map(items.map((item): [string, Outcome] => [item.id, outcome(item)])));

/** Takes everything and gives everything back. For trying out and for sandboxes. */
export const testingGateway: PaymentGateway = {
  name: 'testing',
  collect: (charges) =>
    each(charges, ({ id }): GatewayOutcome => ({ status: 'succeeded', reference: `testing_${id}` })),
  refund: (refunds) => each(refunds, ({ id }): RefundOutcome => ({ status: 'succeeded', reference: `testing_${id}` })),
};

/**
 * Fails when the minor units end in 13, needs the payer's action when they end in 17, accepts all else; refunds that
 * end in 13 fail, too.
 */
export const fakeProviderGateway: PaymentGateway = {
  name: 'fake_provider',
  collect: (charges) => each(charges, outcomeOf),
  cancel: () => Promise.resolve(true),
  // Its page is one of ours, beside the page to which it leads back.
  payerStep: ({ returnUrl }) => Promise.resolve({ actionUrl: new URL(TEST_PROVIDER_PAGE, returnUrl).toString() }),
  refund: (refunds) => each(refunds, refundOf),
};

/** Where the payer decides, seen from the page to which the payer is led back. */
export const TEST_PROVIDER_PAGE = 'test-provider';

function outcomeOf({ id, amountMinor }: GatewayCharge): GatewayOutcome {
  const reference = `fake_${id}`;
  if (amountMinor % 100n === 13n) return { status: 'declined', reason: 'card_declined' };
  if (amountMinor % 100n === 17n) return { status: 'action_required', reference };
  return { status: 'succeeded', reference };
}

const refundOf = ({ id, amountMinor }: GatewayRefund): RefundOutcome =>
  amountMinor % 100n === 13n
    ? { status: 'declined', reason: 'refund_declined' }
    : { status: 'succeeded', reference: `fake_${id}` };
