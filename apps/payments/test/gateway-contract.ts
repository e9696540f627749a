import { describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import type { GatewayCharge, GatewayContext, PaymentGateway } from '../src/gateways/port/payment-gateway.js';

/** How a gateway is brought to say something; what it cannot say is left out. */
export interface ContractSetting {
  readonly gateway: () => PaymentGateway;
  readonly methodReference: string | null;
  /** Makes the provider answer so to every charge, and gives an amount that is answered so. */
  readonly succeeds?: () => bigint;
  readonly declines?: () => bigint;
  readonly waits?: () => bigint;
  readonly staysSilent?: () => bigint;
  /** Lets refunds succeed (or be accepted). */
  readonly refunds?: () => { amountMinor: bigint; paymentReference: string };
  /** The idempotency keys that the provider saw for charges. */
  readonly keys?: () => string[];
}

const context = (): GatewayContext => ({ tenantId: newUuid(), now: new Date() });

/** What every gateway promises, whoever is behind it. */
export function gatewayContract(name: string, setting: ContractSetting): void {
  const charge = (amountMinor: bigint, id = newUuid()): GatewayCharge => ({
    id,
    amountMinor,
    currencyCode: 'EUR',
    methodReference: setting.methodReference,
  });
  const ask = async (amountMinor: bigint, id = newUuid()) =>
    (await setting.gateway().collect([charge(amountMinor, id)], context())).get(id);

  describe(`the contract of ${name}`, () => {
    const { succeeds, declines, waits, staysSilent, refunds, keys } = setting;
    if (succeeds) {
      it('a charge that is taken has a reference', async () => {
        expect(await ask(succeeds())).toEqual({ status: 'succeeded', reference: expect.stringMatching(/./) });
      });
      it('each of many charges has its own answer, under its own id', async () => {
        const charges = Array.from({ length: 12 }, () => charge(succeeds()));
        const outcomes = await setting.gateway().collect(charges, context());
        expect([...outcomes.keys()].sort()).toEqual(charges.map(({ id }) => id).sort());
      });
    }
    if (declines) {
      it('a decline has a reason and is no exception', async () => {
        expect(await ask(declines())).toMatchObject({ status: 'declined', reason: expect.stringMatching(/^\w+$/) });
      });
    }
    if (waits) {
      it('what comes later, or needs the payer, has a reference to find it by', async () => {
        const outcome = await ask(waits());
        expect(['pending', 'action_required']).toContain(outcome?.status);
        expect(outcome).toHaveProperty('reference', expect.stringMatching(/./));
      });
    }
    if (staysSilent) {
      it('no answer is no decline', async () => {
        const outcome = await ask(staysSilent()).catch(() => undefined);
        expect(outcome === undefined || outcome.status === 'unknown').toBe(true);
      });
    }
    if (keys) {
      it('the transaction is the idempotency key: asking twice is one charge', async () => {
        const id = newUuid();
        const amount = succeeds ? succeeds() : waits!();
        const first = await ask(amount, id);
        expect(await ask(amount, id)).toEqual(first);
        expect(keys().slice(-2)).toEqual([id, id]);
      });
    }
    if (refunds) {
      it('refunds what it took, under the id of the refund', async () => {
        const { amountMinor, paymentReference } = refunds();
        const id = newUuid();
        const asked = {
          id,
          amountMinor,
          currencyCode: 'EUR',
          paymentReference,
          totalRefundedMinor: amountMinor,
          isTotalUnsure: false,
        };
        const outcome = (await setting.gateway().refund!([asked], context())).get(id);
        expect(['succeeded', 'pending']).toContain(outcome?.status);
      });
    }
  });
}
