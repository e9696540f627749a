import type { PaymentMethod } from '../db/tables.js';

/** A payment method as GET answers it. */
export const representMethod = (method: PaymentMethod) => ({
  id: method.id,
  customerId: method.customerId,
  gatewayName: method.gatewayName,
  type: method.type,
  referenceId: method.referenceId,
  default: method.isDefault,
  status: method.status,
  source: method.source,
  enabled: method.enabled,
  name: method.name,
  data: [] as string[],
  creationDate: method.creationDate.toISOString(),
  expirationDate: method.expirationDate?.toISOString() ?? null,
  sepaMandate: null,
  card: null,
  sepaDebit: null,
  onlineWalletProvider: null,
});
export type PaymentMethodView = ReturnType<typeof representMethod>;
