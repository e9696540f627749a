import type { TenantState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, type Send, testService, type TestService, type TestServiceOptions } from '@kontor/testing';
import { BilledTaxes } from '../../src/preview/billed-taxes.js';
import { billingService } from '../../src/service.js';

export interface Tenant {
  readonly id: string;
  /** Calls the service as an API key with all permissions. */
  readonly call: Send;
}

/** The billing service on a database of its own, and tenants in it. */
export class Billing {
  private constructor(readonly test: TestService) {}

  static async start(options: TestServiceOptions = {}): Promise<Billing> {
    const test = await testService(billingService, options);
    // There is no invoicing: no charge is on a document, so that its tax is decided anew.
    (test.service.get(BilledTaxes) as BilledTaxes).read = (_, ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, null])));
    return new Billing(test);
  }

  async tenant(state: Partial<TenantState> = {}): Promise<Tenant> {
    const id = state.id ?? newUuid();
    await this.test.giveCopy('tenant', id, id, {
      id,
      name: 'Nordlicht Software GmbH',
      mode: 'sandbox',
      plan: 'enterprise',
      features: ['WalletTopUp', 'customer.hierarchy'],
      timeZone: 'Europe/Berlin',
      currencyCode: 'EUR',
      ...state,
    } satisfies TenantState);
    return { id, call: this.test.as(apiKeyPrincipal(id)) };
  }

  /** Notices of the events about one object, in order. */
  async notices(
    objectId: string,
  ): Promise<{ type: string; data: unknown; customerId: string | null; activity: unknown }[]> {
    const events = await this.test.peek<{ payload: string | { notices?: [] } }>(
      'SELECT payload FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [objectId],
    );
    return events.flatMap(
      ({ payload }) =>
        (typeof payload === 'string' ? (JSON.parse(payload) as { notices?: [] }) : payload).notices ?? [],
    );
  }

  async noticeTypes(objectId: string): Promise<string[]> {
    return (await this.notices(objectId)).map((notice) => notice.type);
  }

  /** Number of rows in every table: what a refused request must leave as it is. */
  async counts(): Promise<Record<string, number>> {
    const tables = ['customer', 'customer_address', 'product', 'price_plan', 'plan', 'tax_group', 'outbox', 'due_work'];
    const [row] = await this.test.peek<Record<string, number>>(
      `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`,
    );
    return row ?? {};
  }

  /** A subscription refers to the price plan. */
  async use(tenant: Tenant, pricePlanId: string): Promise<void> {
    const { body: customer } = await tenant.call('POST', '/customers', backhaus);
    const { status } = await tenant.call('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlanId }],
    });
    if (status !== 201) throw new Error(`POST /subscriptions answered ${status}`);
  }

  stop(): Promise<void> {
    return this.test.stop();
  }
}

export const backhaus = {
  email: 'rechnung@backhaus-elbe.example',
  companyName: 'Backhaus Elbe GmbH',
  street: 'Elbchaussee',
  houseNumber: '12',
  zip: '22765',
  city: 'Hamburg',
};
