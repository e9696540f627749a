import { type EventOf, orderConfirmedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { amountText, dayText, languageOf, type MailLanguage } from '../domain/mails/wording.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { ORDER_TEMPLATES } from './order-template.js';

/** Confirms an order to its buyer: what was ordered, for how much, and how to withdraw. */
@EventConsumer()
export class OnOrderConfirmed {
  constructor(private readonly replicas: Replicas) {}

  @Consume(orderConfirmedV1)
  handle({ payload }: EventOf<typeof orderConfirmedV1>, tx: TenantTx): Promise<void> {
    const { totals } = payload;
    // Lines are shown before it.
    const discount = totals.net.amount - payload.lines.reduce((sum, { netAmount }) => sum + netAmount.amount, 0);
    return writeNoticeMail(tx, this.replicas, {
      kind: 'order_confirmation',
      reference: payload.cartId,
      customerId: payload.customerId,
      ...(payload.email !== null && { recipient: payload.email }),
      ...(payload.language !== null && { language: languageOf(payload.language) }),
      templates: ORDER_TEMPLATES,
      model: (language, customer) => ({
        link: payload.link,
        orderedOn: dayText(payload.orderedAt, language, customer.timeZone),
        lines: payload.lines.map(({ name, quantity, netAmount }) => ({
          name,
          quantity: quantity.replace('.', language === 'de' ? ',' : '.'),
          amount: amountText(netAmount, language),
        })),
        discount: discount === 0 ? '' : amountText({ ...totals.net, amount: discount }, language),
        net: amountText(totals.net, language),
        tax: amountText(totals.tax, language),
        gross: amountText(totals.gross, language),
        recurring: payload.recurring.map(({ interval, gross }) => ({
          interval: intervalText(interval, language),
          gross: amountText(gross, language),
        })),
        measured: (payload.measured ?? []).map(({ name, interval, price }) => ({
          name,
          interval: intervalText(interval, language),
          price,
        })),
        trialDays: payload.trialDays,
        ...termOf(payload, language),
        termsUrl: payload.termsUrl ?? '',
        withdrawalUrl: payload.withdrawalUrl ?? '',
      }),
    });
  }
}

/** How long the contract binds: first, then again and again, and the notice; each empty where it says nothing of it. */
function termOf({ term }: EventOf<typeof orderConfirmedV1>['payload'], language: MailLanguage) {
  const { contractPeriodCount = 1, contractPeriod = null, cancellationPeriod = null } = term ?? {};
  const text = (interval: string | null, times: number) =>
    interval === null ? '' : durationText(interval, times, language);
  return {
    firstTerm: text(contractPeriod, contractPeriodCount),
    nextTerm: text(contractPeriod, 1),
    notice: text(cancellationPeriod, 1),
  };
}

const DURATIONS = {
  de: { D: ['Tag', 'Tage'], M: ['Monat', 'Monate'], Y: ['Jahr', 'Jahre'] },
  en: { D: ['day', 'days'], M: ['month', 'months'], Y: ['year', 'years'] },
} as const;

/** `12M` → 12 months. */
function durationText(interval: string, times: number, language: MailLanguage): string {
  const [, count = '1', unit = 'M'] = /^(\d+)([DMY])$/.exec(interval) ?? [];
  const all = Number(count) * times;
  return `${all} ${DURATIONS[language][unit as 'D' | 'M' | 'Y'][all === 1 ? 0 : 1]}`;
}

const UNITS = {
  de: { D: ['täglich', 'alle # Tage'], M: ['monatlich', 'alle # Monate'], Y: ['jährlich', 'alle # Jahre'] },
  en: { D: ['daily', 'every # days'], M: ['monthly', 'every # months'], Y: ['yearly', 'every # years'] },
} as const;

/** `1M` → monthly. */
function intervalText(interval: string, language: MailLanguage): string {
  const [, count = '1', unit = 'M'] = /^(\d+)([DMY])$/.exec(interval) ?? [];
  const [once, many] = UNITS[language][unit as 'D' | 'M' | 'Y'];
  return count === '1' ? once : many.replace('#', count);
}
