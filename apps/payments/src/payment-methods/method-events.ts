import type { Notice, PaymentMethodState, PayloadOf } from '@kontor/contracts';
import { paymentMethodChangedV1 } from '@kontor/contracts';
import type { NewEvent } from '@kontor/messaging';
import type { PaymentMethod } from './payment-method.row.js';
import { representMethod } from './represent-method.js';

/** A payment method was made, changed or removed. */
export function methodEvent(
  method: PaymentMethod,
  change: 'created' | 'updated' | 'removed',
): NewEvent<PayloadOf<typeof paymentMethodChangedV1>> {
  const representation = { ...representMethod(method) };
  const state: PaymentMethodState = {
    id: method.id,
    customerId: method.customerId,
    gatewayName: method.gatewayName,
    status: method.status,
    default: method.isDefault,
    enabled: method.enabled,
    representation,
  };
  const notice: Notice = {
    type: `payment_method.${change}`,
    objectId: method.id,
    data: { paymentMethod: representation },
    customerId: method.customerId,
    activity: null,
  };
  const removed = change === 'removed';
  const activity: Notice = {
    type: 'payment.payment_method.updated',
    objectId: method.id,
    data: null,
    customerId: method.customerId,
    activity: {
      metadata: { paymentMethodId: method.id, gatewayName: method.gatewayName, change, default: method.isDefault },
    },
  };
  return {
    aggregateId: method.id,
    aggregateSeq: method.version,
    payload: {
      id: method.id,
      version: method.version,
      deleted: removed,
      state: removed ? null : state,
      notices: removed ? [activity] : [notice, activity],
    },
  };
}
