import { money, toMajorNumber, toMoneyJson } from '@kontor/money';
import type { AutoTopUpRule, TopUp } from '../domain/top-ups/top-up.js';
import type { AutoTopUpRuleView, TopUpView } from './top-up.schema.js';

/** A top-up as GET answers it. */
export const representTopUp = (topUp: TopUp): TopUpView => ({
  id: topUp.id,
  customerId: topUp.customerId,
  requestedAmount: toMoneyJson(money(topUp.requestedMinor, topUp.currencyCode)),
  creditedAmount: topUp.creditedMinor === null ? null : toMoneyJson(money(topUp.creditedMinor, topUp.currencyCode)),
  status: topUp.status,
  paymentMethodId: topUp.paymentMethodId,
  failureReason: topUp.failReason,
  automatic: topUp.ruleId !== null,
  reference: topUp.reference,
  createdAt: topUp.createdAt.toISOString(),
  completedAt: topUp.completedAt?.toISOString() ?? null,
});

/** A rule as GET answers it; amounts in major units. */
export const representRule = (rule: AutoTopUpRule): AutoTopUpRuleView => ({
  id: rule.id,
  customerId: rule.customerId,
  currencyCode: rule.currencyCode,
  thresholdAmount: toMajorNumber(money(rule.thresholdMinor, rule.currencyCode)),
  topUpAmount: toMajorNumber(money(rule.topUpMinor, rule.currencyCode)),
  paymentMethodId: rule.paymentMethodId,
  enabled: rule.enabled,
  consecutiveFailures: rule.consecutiveFailures,
  createdAt: rule.createdAt.toISOString(),
  updatedAt: rule.updatedAt.toISOString(),
});
