import { Type } from '@sinclair/typebox';
import { GATEWAYS, METHOD_TYPES } from '../domain/payment-method.js';

const nullable = (type: string, more: object = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more });
const provider = (fields: string[]) =>
  Type.Unsafe<unknown>({
    type: ['object', 'null'],
    properties: Object.fromEntries(fields.map((f) => [f, { type: f.startsWith('exp') ? 'integer' : 'string' }])),
  });

export const METHOD_SCHEMA = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    customerId: Type.String({ format: 'uuid' }),
    gatewayName: Type.Unsafe<string>({ type: 'string', enum: [...GATEWAYS] }),
    type: Type.Unsafe<unknown>({ enum: [...METHOD_TYPES, null] }),
    referenceId: nullable('string'),
    default: Type.Boolean(),
    status: Type.Unsafe<string>({ type: 'string', enum: ['active', 'action_required', 'expired', 'revoked', 'gateway_unconfigured'] }),
    source: Type.Unsafe<string>({ type: 'string', enum: ['checkout', 'customerfront', 'api', 'add_link'] }),
    enabled: Type.Boolean(),
    name: nullable('string'),
    data: Type.Array(Type.String()),
    creationDate: Type.String({ format: 'date-time' }),
    expirationDate: nullable('string', { format: 'date-time' }),
    sepaMandate: provider([]),
    card: provider(['brand', 'last4', 'expMonth', 'expYear', 'cardHolder']),
    sepaDebit: provider(['iban', 'bic', 'mandateReference', 'signingDate']),
    onlineWalletProvider: provider(['email', 'billingAgreementId']),
  },
  { $id: 'PaymentMethod' },
);

export const CREATED_METHOD_SCHEMA = Type.Object(
  {
    status: Type.String(),
    actionRequired: Type.Boolean(),
    failReason: nullable('string'),
    paymentMethod: METHOD_SCHEMA,
  },
  { $id: 'CreatedPaymentMethod' },
);
