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
}

/** The lines of one invoice. */
export interface ChargeGroup<C extends RoutedCharge> extends InvoiceRoute {
  readonly billingDay: Day;
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
 * Daily consolidation: all lines of one customer that fall due on one calendar day are one invoice, split only by
 * payment method or invoice address. Each missed day has a separate invoice, in order.
 */
export function groupCharges<C extends RoutedCharge>(charges: readonly C[]): ChargeGroup<C>[] {
  const groups = new Map<string, C[]>();
  for (const charge of charges) {
    const key = `${charge.charge.dueOn} ${groupingKeyOf(charge.route)}`;
    const group = groups.get(key);
    if (group) group.push(charge);
    else groups.set(key, [charge]);
  }
  return [...groups.values()]
    .map((list) => {
      const { charge, route } = list[0] as C;
      return { billingDay: charge.dueOn, groupingKey: groupingKeyOf(route), ...route, charges: list };
    })
    .sort((a, b) =>
      a.billingDay === b.billingDay ? (a.groupingKey < b.groupingKey ? -1 : 1) : a.billingDay < b.billingDay ? -1 : 1,
    );
}
