import type { TenantId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { idOf, stateOf } from '../../schemas.js';

/** A tenant as the other services need it. Its clock is not here: identity sets it over internal HTTP. */
export const TenantState = Type.Object({
  id: idOf<TenantId>(),
  name: Type.String(),
  mode: Type.Union([Type.Literal('live'), Type.Literal('sandbox')]),
  plan: Type.Union([Type.Literal('standard'), Type.Literal('enterprise')]),
  features: Type.Array(Type.String()),
  timeZone: Type.String(),
  currencyCode: Type.String(),
});
export type TenantState = Static<typeof TenantState>;

export const tenantChangedV1 = defineEvent({
  type: 'identity.tenant.changed.v1',
  topic: 'identity.tenant',
  description: 'A tenant was created or its plan or features changed; also carries notices about its API keys.',
  schema: stateOf(TenantState),
  example: {
    id: '0199f000-0000-7000-8000-000000000001',
    version: 1,
    deleted: false,
    state: {
      id: '0199f000-0000-7000-8000-000000000001',
      name: 'Nordlicht Software GmbH',
      mode: 'sandbox',
      plan: 'enterprise',
      features: ['WalletTopUp', 'customer.hierarchy'],
      timeZone: 'Europe/Berlin',
      currencyCode: 'EUR',
    },
    notices: [],
  },
});
