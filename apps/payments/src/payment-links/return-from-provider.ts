import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { methods, type PaymentMethod } from '../payment-methods/payment-method.row.js';
import { Gateways } from '../gateways/port/payment-gateway.js';
import { CompletePaymentMethod, type Registered } from '../payment-methods/complete-payment-method.js';
import { registering } from '../gateways/port/registering-gateway.js';
import { registrations } from '../payment-methods/registration.row.js';
import { OpenLink, type PageSurroundings } from './open-link.js';

/** The result, as the payer's next page shows it. */
export interface Returned extends PageSurroundings {
  readonly result: 'done' | 'pending' | 'unfinished' | 'failed';
  /** Where the payer goes on, when the action is not finished. */
  readonly actionUrl: string | null;
  readonly redirectUrl: string | null;
  readonly methodId: string | null;
  readonly methodName: string | null;
}

/** The payer comes back from the provider's page: the provider is asked what was done there. */
@Injectable()
export class ReturnFromProvider {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly openLink: OpenLink,
    private readonly complete: CompletePaymentMethod,
  ) {}

  async execute(token: string): Promise<Returned | null> {
    const found = await this.openLink.locate('method_registration_by_digest', token);
    if (!found) return null;
    const { tenantId, id } = found;
    const registration = await this.database.tenant(
      tenantId,
      async (tx) => (await registrations.where(tx, 'id = $2', [id]))[0],
      { readOnly: true },
    );
    if (!registration) return null;
    const gateway = registering(this.gateways.find(registration.gatewayName));
    const question = { tenantId, methodId: id, referenceId: registration.referenceId };
    const answer =
      registration.state === 'done' || registration.state === 'failed'
        ? null
        : await gateway.registration?.(question).catch(() => null);
    const unfinished = answer?.status === 'action_required' && !!answer.actionUrl;
    const now = answer
      ? await this.complete.execute(tenantId, id, answer)
      : { registration, method: await this.find(tenantId, id) };
    const seen = await this.database.tenant(tenantId, (tx) => this.openLink.surroundings(tx, registration.customerId), {
      readOnly: true,
    });
    return {
      result: resultOf(now, unfinished),
      actionUrl: unfinished ? (answer?.actionUrl ?? null) : null,
      redirectUrl: registration.redirectUrl,
      methodId: now.method?.id ?? null,
      methodName: now.method?.name ?? null,
      ...seen,
    };
  }

  async nameOf(tenantId: string, methodId: string | null): Promise<string | null> {
    return methodId === null ? null : ((await this.find(tenantId, methodId))?.name ?? null);
  }

  private async find(tenantId: string, id: string): Promise<PaymentMethod | null> {
    const rows = await this.database.tenant(tenantId, (tx) => methods.where(tx, 'id = $2', [id]), { readOnly: true });
    return rows[0] ?? null;
  }
}

function resultOf({ registration, method }: Registered, unfinished: boolean): Returned['result'] {
  if (registration.state === 'failed') return 'failed';
  if (method?.status === 'active') return 'done';
  return unfinished ? 'unfinished' : 'pending';
}
