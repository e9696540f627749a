import { expect } from '@jest/globals';
import { settingsChangedV1, customerChangedV1 } from '@kontor/contracts';
import { OnCreditRulesChanged } from '../../src/wallet/on-credit-rules-changed.js';
import { DAY, type Settings } from './things.js';
import { pickFrom, type Step } from './step.js';

const adjust: Step = {
  name: 'adjust',
  async take({ model, real, purse, dice }) {
    const takes = dice.other % 3 === 0;
    const amount = takes ? -Math.min(dice.amount, dice.flag ? Math.max(purse.usableAmount, 1) : 300) : dice.amount;
    const promotional = !takes && dice.pick % 4 === 1;
    const expires = !takes && dice.pick % 4 > 1 ? model.now + (dice.pick + 1) * DAY : null;
    const answer = await real.call('POST', '/api/wallet/adjustments', {
      customerId: purse.customer,
      amount: amount / 100,
      currencyCode: purse.currency,
      description: 'model',
      ...(promotional && { promotional }),
      ...(expires !== null && { expiresAt: new Date(expires).toISOString() }),
    });
    if (takes && purse.usableAmount < -amount) return expect(answer.body.reason).toBe('insufficient_credit');
    expect(answer.status).toBe(201);
    if (takes) return purse.spend(-amount, null);
    purse.give(amount, { promotional, expires: expires ?? purse.giftEnds });
    purse.apply();
  },
};

const topUp: Step = {
  name: 'top up',
  async take({ model, real, purse, dice }) {
    const methods = real.methods.get(purse.customer)!;
    const body = { customerId: purse.customer, amount: dice.amount / 100, currencyCode: purse.currency };
    const answer = await real.call('POST', '/api/wallet/top-up', {
      ...body,
      paymentMethodId: dice.flag ? methods.gateway : methods.bank,
    });
    expect(answer.status).toBe(201);
    const doc = model.open(purse, { id: answer.body.id, kind: 'top_up', amount: dice.amount });
    if (dice.flag) model.collect(doc);
  },
};

const confirm: Step = {
  name: 'confirm top-up',
  can: (model) => model.docs.some((doc) => doc.kind === 'top_up' && doc.topUp === 'pending' && doc.pending === 0),
  async take({ model, real, dice }) {
    const doc = pickFrom(
      model.docs.filter(({ kind, topUp, pending }) => kind === 'top_up' && topUp === 'pending' && pending === 0),
      dice.pick,
    );
    const answer = await real.call('POST', `/api/wallet/top-ups/${doc.id}/confirm`, {});
    expect(answer.status).toBe(201);
    const [row] = await real.rows<{ id: string }>(
      `SELECT t.id FROM payment_transaction t JOIN payment_intent i ON i.tenant_id = t.tenant_id AND i.id = t.intent_id
        WHERE t.tenant_id = $1 AND i.top_up_id = $2`,
      [doc.id],
    );
    const payment = {
      id: row!.id,
      doc,
      amount: doc.open,
      byGateway: false,
      status: 'succeeded' as const,
      paidAt: model.now,
    };
    model.payments.push(payment);
    model.received(payment);
  },
};

/** A rule for automatic top-ups is made, or changed. */
const rule: Step = {
  name: 'rule',
  async take({ real, purse, dice }) {
    const [threshold, amount] = [50 + dice.amount, 10 + dice.pick * 10];
    const body = { thresholdAmount: threshold / 100, topUpAmount: amount / 100 };
    if (!purse.rule) {
      const paymentMethodId = real.methods.get(purse.customer)!.gateway;
      const answer = await real.call('POST', '/api/wallet/auto-top-up', {
        ...body,
        customerId: purse.customer,
        currencyCode: purse.currency,
        paymentMethodId,
      });
      expect(answer.status).toBe(201);
      purse.rule = { id: answer.body.id, threshold, amount, enabled: true, failures: 0 };
      return;
    }
    const enabled = dice.other % 4 > 0;
    const answer = await real.tenant.call('PUT', `/api/wallet/auto-top-up/${purse.rule.id}`, { ...body, enabled });
    expect(answer.status).toBe(200);
    const failures = enabled && !purse.rule.enabled ? 0 : purse.rule.failures;
    Object.assign(purse.rule, { threshold, amount, enabled, failures });
  },
};

/** The tenant's settings, or a customer's overrides. */
const settings: Step = {
  name: 'settings',
  async take({ model, real, purse, dice }) {
    const isCustomers = dice.pick % 2 === 0;
    const value = (n: number): boolean | null =>
      isCustomers && (dice.other + n) % 3 === 0 ? null : (dice.other >> n) % 2 === 0;
    const changed: Settings = {
      creditOverpayments: value(0),
      applyCreditAutomatically: value(1),
      creditExpiryDays: dice.flag ? 1 + (dice.amount % 9) : null,
    };
    const { tenant } = real;
    const id = isCustomers ? purse.customer : tenant.id;
    if (isCustomers) {
      model.overrides.set(purse.customer, changed);
      await tenant.customer({ ...changed }, id);
    } else {
      model.settings = changed;
      await tenant.settings({ ...changed, paymentRetryDays: [] });
    }
    const { database, service } = tenant.world;
    await database.tenant(tenant.id, async (tx) => {
      const kind = isCustomers ? 'customer' : 'settings';
      const state = await service.kit.replicas.get(tx, kind, id);
      const event = {
        ...tenant.event({ customerId: purse.customer, gross: 1 }, tx.now),
        type: (isCustomers ? customerChangedV1 : settingsChangedV1).type,
      };
      event.payload = { id, version: 1, deleted: false, state, notices: [] };
      await service.get(OnCreditRulesChanged).handle([event] as never, tx);
    });
    model.rulesChanged = true;
  },
};

const days: Step = {
  name: 'days pass',
  leavesWork: ({ flag }) => flag,
  async take({ model, real, dice }) {
    model.now += ((1 + dice.pick) * DAY) / 4;
    await real.setClock(model.now);
  },
};

export const WALLET_STEPS: readonly Step[] = [adjust, adjust, adjust, topUp, confirm, rule, settings, days];
