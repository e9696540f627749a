import { exampleIdOf } from '@kontor/service-kit';
import { Type } from '@sinclair/typebox';

export const SubscriptionMeasurement = Type.Object(
  {
    subscription: Type.Optional(Type.String({ format: 'uuid' })),
    subscriptionItem: Type.Optional(
      Type.String({ format: 'uuid', description: 'This or the subscription is required.' }),
    ),
    measurement: Type.Optional(
      Type.String({
        maxLength: 255,
        description: 'Code or id. Default: `quantity`, where no item has it that of the item.',
      }),
    ),
    quantity: Type.String({ pattern: '^\\d{1,30}(\\.\\d{1,20})?$' }),
    measuredAt: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
    transactionId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'One that is known for the item is ignored.' }),
    ),
  },
  {
    $id: 'SubscriptionMeasurement',
    additionalProperties: false,
    examples: [{ subscriptionItem: exampleIdOf('subscriptionItem'), quantity: '7' }],
  },
);

export const SubscriptionMeasurements = Type.Object(
  { measurements: Type.Array(SubscriptionMeasurement, { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

export const SubscriptionMeasurementsResult = Type.Object({
  recorded: Type.Integer(),
  duplicates: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      index: Type.Integer(),
      transactionId: Type.Union([Type.String(), Type.Null()]),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
});
