import { Table } from '../db/table.js';
import type { AutoTopUpRule, TopUp } from '../domain/top-up.js';

export const topUps = new Table<TopUp>(
  'top_up',
  {
    id: 'uuid', intentId: 'uuid', customerId: 'uuid', currencyCode: 'text', requestedMinor: 'bigint', creditedMinor: 'bigint', status: 'text',
    paymentMethodId: 'uuid', failReason: 'text', reference: 'text', ruleId: 'uuid', completedAt: 'timestamptz', version: 'integer',
    createdAt: 'timestamptz',
  }, // prettier-ignore
  ['creditedMinor', 'status', 'failReason', 'completedAt', 'version'],
);

export const autoTopUpRules = new Table<AutoTopUpRule>(
  'auto_top_up_rule',
  {
    id: 'uuid', customerId: 'uuid', currencyCode: 'text', thresholdMinor: 'bigint', topUpMinor: 'bigint', paymentMethodId: 'uuid', enabled: 'boolean',
    consecutiveFailures: 'integer', version: 'integer', createdAt: 'timestamptz', updatedAt: 'timestamptz',
  }, // prettier-ignore
  ['thresholdMinor', 'topUpMinor', 'paymentMethodId', 'enabled', 'consecutiveFailures', 'version', 'updatedAt'],
);
