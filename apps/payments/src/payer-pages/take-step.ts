import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { PayerLinks } from '../collections/payer-links.js';
import { SettleCollections } from '../collections/settle-collections.js';
import type { GatewayOutcome } from '../domain/gateways/gateway-outcome.js';
import { type GatewayCharge, Gateways, type PaymentGateway } from '../gateways/port/payment-gateway.js';
import { methods } from '../payment-methods/payment-method.row.js';
import type { OpenedPayerPage } from './open-payer-page.js';

/** What the payer does about a collection that waits: leaves for the provider's page, and comes back from it. */
@Injectable()
export class TakeStep {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly links: PayerLinks,
    private readonly settle: SettleCollections,
  ) {}

  /** The provider's page; null: nothing is to be done there (any more), or the provider does not say where. */
  async begin(opened: OpenedPayerPage): Promise<string | null> {
    const asked = await this.chargeOf(opened);
    if (!asked?.gateway.payerStep) return null;
    const step = await asked.gateway.payerStep(asked.charge, asked.context);
    if ('actionUrl' in step) return step.actionUrl;
    await this.note(opened, asked.charge.id, step);
    return null;
  }

  /** The payer is back: the provider is asked what was done there. */
  async finish(opened: OpenedPayerPage): Promise<void> {
    const asked = await this.chargeOf(opened);
    if (!asked) return;
    const { gateway, charge, context } = asked;
    const outcome = gateway.finishStep
      ? await gateway.finishStep(charge, context)
      : (await gateway.lookUp?.([charge], context))?.get(charge.id);
    if (outcome) await this.note(opened, charge.id, outcome);
  }

  /** What the payer decided at the test provider. */
  async decide(opened: OpenedPayerPage, isApproved: boolean): Promise<void> {
    const { waiting } = opened;
    if (waiting?.gatewayName !== 'fake_provider') return;
    const reference = waiting.reference ?? '';
    await this.note(
      opened,
      waiting.id,
      isApproved
        ? { status: 'succeeded', reference }
        : { status: 'declined', reason: 'authentication_failed', reference },
    );
  }

  private async chargeOf({ tenantId, intent, waiting }: OpenedPayerPage): Promise<Asked | null> {
    const gateway = waiting && this.gateways.find(waiting.gatewayName ?? '');
    if (!gateway) return null;
    const { charge, now } = await this.database.tenant(
      tenantId,
      async (tx) => {
        const method = waiting.paymentMethodId === null ? null : await methods.get(tx, waiting.paymentMethodId);
        return {
          now: tx.now,
          charge: {
            id: waiting.id,
            amountMinor: waiting.amountMinor,
            currencyCode: waiting.currencyCode,
            methodReference: method?.referenceId ?? null,
            reference: waiting.reference,
            returnUrl: this.links.returnUrlOf(tenantId, intent.id),
          },
        };
      },
      { readOnly: true },
    );
    return { gateway, charge, context: { tenantId, now } };
  }

  private async note({ tenantId }: OpenedPayerPage, id: string, outcome: GatewayOutcome): Promise<void> {
    await this.database.tenant(tenantId, (tx) => this.settle.execute(tx, new Map([[id, outcome]])));
  }
}

interface Asked {
  readonly gateway: PaymentGateway;
  readonly charge: GatewayCharge;
  readonly context: { readonly tenantId: string; readonly now: Date };
}
