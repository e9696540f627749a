import type { Day } from '@kontor/kernel';
import type { ChargeDraft } from './charge.js';

/** How the invoice of a line is paid and addressed; null: the customer's default. */
export interface InvoiceRoute {
  readonly paymentMethodId: string | null;
  readonly invoiceAddressId: string | null;
}

export interface RoutedCharge {
  readonly charge: ChargeDraft;
  readonly route: InvoiceRoute;
  /** Who gets the invoice. */
  readonly recipientId: string;
}

/** The lines of one invoice. */
export interface ChargeGroup<C extends RoutedCharge> extends InvoiceRoute {
  readonly billingDay: Day;
  readonly recipientId: string;
  readonly groupingKey: string;
  readonly charges: readonly C[];
}

/**
 * What splits the invoices of one day. Two subscriptions that name the customer's default are not split from those that
 * name none.
 */
export const groupingKeyOf = ({ paymentMethodId, invoiceAddressId }: InvoiceRoute): string =>
  `method:${paymentMethodId ?? 'default'} address:${invoiceAddressId ?? 'default'}`;

/**
 * Daily consolidation: all lines for one customer that fall due on one calendar day are one invoice, split only by
 * payment method or invoice address. Each missed day has a separate invoice, in order; those of `payerId` are first.
 */
export function groupCharges<C extends RoutedCharge>(charges: readonly C[], payerId: string): ChargeGroup<C>[] {
  const groups = new Map<string, C[]>();
  for (const charge of charges) {
    const key = `${charge.charge.dueOn} ${charge.recipientId} ${groupingKeyOf(charge.route)}`;
    const group = groups.get(key);
    if (group) group.push(charge);
    else groups.set(key, [charge]);
  }
  return [...groups.values()]
    .map((list) => {
      const { charge, route, recipientId } = list[0] as C;
      return { billingDay: charge.dueOn, recipientId, groupingKey: groupingKeyOf(route), ...route, charges: list };
    })
    .sort((a, b) => (orderOf(a, payerId) < orderOf(b, payerId) ? -1 : 1));
}

const orderOf = ({ billingDay, recipientId, groupingKey }: ChargeGroup<RoutedCharge>, payerId: string): string =>
  `${billingDay} ${recipientId === payerId ? '' : recipientId} ${groupingKey}`;
