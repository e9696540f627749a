import type { CustomerId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, MoneySchema, stateOf } from '../../schemas.js';

export const WalletState = Type.Object({ id: Type.String(), customerId: idOf<CustomerId>(), balance: MoneySchema });
export type WalletState = Static<typeof WalletState>;

export const walletChangedV1 = defineEvent({
  type: 'payments.wallet.changed.v1',
  topic: 'payments.wallet',
  description: "A wallet's balance changed.",
  schema: stateOf(WalletState),
  example: {
    id: exampleId(50),
    version: 1,
    deleted: false,
    state: { id: exampleId(50), customerId: exampleId(1), balance: { amount: 500, currencyCode: 'EUR' } },
    notices: [],
  },
});
