import { type EventOf, subscriptionChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText } from '../domain/mails/wording.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { CANCELLATION_TEMPLATES } from './cancellation-template.js';

interface CancelledSubscription {
  readonly name: string | null;
  readonly number: string;
  readonly cancelledAt: string;
  readonly cancellationDate: string;
}

type Changed = EventOf<typeof subscriptionChangedV1>;

const noticeToConfirm = ({ payload }: Changed) =>
  payload.notices.find(
    ({ type, activity }) => type === 'subscription.cancelled' && activity?.metadata['confirmationEmail'] === true,
  );

/** What ends as a day begins has the day before as its last one, as its invoices say; what was cancelled at once has that day. */
const lastMoment = ({ cancelledAt, cancellationDate }: CancelledSubscription): string =>
  new Date(Math.max(Date.parse(cancellationDate) - 1, Date.parse(cancelledAt))).toISOString();

/** Confirms a cancellation to the customer, where the request did not say otherwise. */
@EventConsumer()
export class OnSubscriptionCancelled {
  constructor(private readonly replicas: Replicas) {}

  @Consume(subscriptionChangedV1, { concerns: (event: Changed) => noticeToConfirm(event) !== undefined })
  async handle(event: Changed, tx: TenantTx): Promise<void> {
    const { payload } = event;
    const notice = noticeToConfirm(event);
    const subscription = notice?.data?.['subscription'] as CancelledSubscription | undefined;
    if (!notice?.customerId || !subscription) return;
    await writeNoticeMail(tx, this.replicas, {
      kind: 'cancellation_confirmation',
      // A cancellation can be taken back and declared again: each time gets its mail.
      reference: `${payload.id}:${payload.version}`,
      customerId: notice.customerId,
      templates: CANCELLATION_TEMPLATES,
      model: (language, customer) => ({
        name: subscription.name ?? '',
        number: subscription.number,
        cancelledOn: dayText(subscription.cancelledAt, language, customer.timeZone),
        endsOn: dayText(lastMoment(subscription), language, customer.timeZone),
      }),
    });
  }
}
