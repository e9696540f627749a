import { type Static, Type } from '@sinclair/typebox';
import { GATEWAYS, METHOD_SOURCES, METHOD_STATUSES, METHOD_TYPES } from '../domain/payment-methods/payment-method.js';
import { nullable } from '../schema-parts.js';

const FORMATS: Readonly<Record<string, object>> = {
  signingDate: { format: 'date' },
  lastUsedAt: { format: 'date-time' },
};

const provider = (fields: string[]) =>
  Type.Unsafe<unknown>({
    type: ['object', 'null'],
    properties: Object.fromEntries(
      fields.map((f) => [f, { type: [f.startsWith('exp') ? 'integer' : 'string', 'null'], ...FORMATS[f] }]),
    ),
  });

export const METHOD_SCHEMA = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    customerId: Type.String({ format: 'uuid' }),
    gatewayName: Type.Unsafe<string>({ type: 'string', enum: [...GATEWAYS] }),
    type: Type.Unsafe<string | null>({ enum: [...METHOD_TYPES, null] }),
    referenceId: nullable('string'),
    default: Type.Boolean(),
    status: Type.Unsafe<string>({ type: 'string', enum: [...METHOD_STATUSES] }),
    source: Type.Unsafe<string>({ type: 'string', enum: [...METHOD_SOURCES] }),
    enabled: Type.Boolean(),
    name: nullable('string'),
    data: Type.Array(Type.String()),
    creationDate: Type.String({ format: 'date-time' }),
    expirationDate: nullable('string', { format: 'date-time' }),
    sepaMandate: provider([
      'mandateReference',
      'signingDate',
      'scheme',
      'sequenceType',
      'accountHolder',
      'iban',
      'bic',
      'lastUsedAt',
    ]),
    card: provider(['brand', 'last4', 'expMonth', 'expYear', 'cardHolder']),
    sepaDebit: provider(['iban', 'bic', 'mandateReference', 'signingDate']),
    onlineWalletProvider: provider(['email', 'billingAgreementId']),
  },
  { $id: 'PaymentMethod' },
);
export type PaymentMethodView = Static<typeof METHOD_SCHEMA>;

export const CREATED_METHOD_SCHEMA = Type.Object(
  {
    status: Type.Unsafe<string>({ type: 'string', enum: [...METHOD_STATUSES, 'failed'] }),
    actionRequired: Type.Boolean(),
    failReason: nullable('string'),
    paymentMethod: Type.Union([METHOD_SCHEMA, Type.Null()]),
    /** Where the payer has to go; only while an action is required. */
    actionUrl: Type.Optional(Type.String({ format: 'uri' })),
  },
  { $id: 'CreatedPaymentMethod' },
);
