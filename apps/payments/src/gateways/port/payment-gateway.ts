import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { RegisteringGateway, RegistrationAnswer } from './registering-gateway.js';

/** One charge that a gateway is asked for. */
export interface GatewayCharge {
  /** The transaction's id: the gateway's idempotency key. Asking twice charges once. */
  readonly id: string;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** The method's id at the gateway. */
  readonly methodReference: string | null;
  /** The gateway's name of the charge, where an earlier answer contained it. */
  readonly reference?: string | null;
  /** Our page to which a provider that asks the payer sends the payer back. */
  readonly returnUrl?: string;
}

/** What a charge that waits for its payer leads to: a page of the provider, or an outcome where nothing is left to do there. */
export type PayerStep = { readonly actionUrl: string } | GatewayOutcome;

/** One refund that a gateway is asked for. */
export interface GatewayRefund {
  /** The refund transaction's id: the gateway's idempotency key. */
  readonly id: string;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  /** The gateway's name of the payment that goes back. */
  readonly paymentReference: string;
  /** All refunds of that payment so far with this one, in minor units. */
  readonly totalRefundedMinor: bigint;
  /** The gateway's name of the refund, where an earlier answer contained it. */
  readonly reference?: string | null;
  /** An earlier refund of that payment is in {@link totalRefundedMinor}, of which it is not known whether the gateway has it. */
  readonly isTotalUnsure: boolean;
}

/** For whom a gateway is asked, and the tenant's time. */
export interface GatewayContext {
  readonly tenantId: string;
  readonly now: Date;
}

/** Which money a call-back is about: our own ids, where the provider repeats them, else its own name of it. */
export type NoticeSubject =
  { readonly tenantId: string; readonly transactionId: string } | { readonly reference: string };

/**
 * What a provider reports by itself. `outcome` null: it only says that something happened, so it is to be asked.
 * `approved`: the payer agreed to a charge that waits for that. `returned`: money that it had paid goes back (chargeback,
 * returned debit). `method_replaced`: the method goes on under another name; `method_reinstated`: after it had ended.
 */
export type GatewayNotice = {
  /** The provider's id of the event, for each of its parts. */ readonly eventId: string;
} & (
  | { readonly kind: 'collection'; readonly subject: NoticeSubject; readonly outcome: GatewayOutcome | null }
  | { readonly kind: 'approved'; readonly subject: NoticeSubject }
  | {
      readonly kind: 'returned';
      readonly subject: NoticeSubject;
      readonly reason: string;
      readonly feeMinor: string;
      /** Null: all of it. */
      readonly amountMinor: string | null;
      /** Only what had been paid goes back there, whether or not that was reported yet. */
      readonly afterPayment?: true;
    }
  | {
      readonly kind: 'refund';
      readonly subject: NoticeSubject;
      readonly outcome: RefundOutcome | null;
      /** The provider's name of the payment that it is of, where the event says it: it may be a refund that was made there. */
      readonly paymentReference: string | null;
    }
  | { readonly kind: 'registration'; readonly subject: { readonly tenantId: string; readonly methodId: string } }
  | { readonly kind: 'method_ended'; readonly methodReference: string; readonly reason: string }
  | { readonly kind: 'method_reinstated'; readonly methodReference: string }
  | { readonly kind: 'method_replaced'; readonly methodReference: string; readonly replacement: string }
);

/** A call-back as it arrived. */
export interface Callback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Real time of its arrival: signatures are valid for minutes only. */
  readonly receivedAt: Date;
}

/**
 * Somebody who fetches money. Called outside every transaction; an exception or a missing answer means that the
 * outcome is unknown, and the same charges are asked for again, with the same ids.
 */
export interface PaymentGateway extends Partial<RegisteringGateway> {
  readonly name: string;
  collect(charges: readonly GatewayCharge[], context: GatewayContext): Promise<Map<string, GatewayOutcome>>;
  /**
   * For how long the provider recognizes a charge that is asked for again, in milliseconds; absent: for good. Afterwards it
   * is asked for only where it is not known when it is looked up.
   */
  readonly remembersForMs?: number;
  /** The same of a refund, which is looked up by {@link lookUpRefunds}. */
  readonly remembersRefundsForMs?: number;
  /**
   * What became of charges that were asked for; those the provider does not know are missing in the answer, `unknown` are
   * those of which it could not say.
   */
  lookUp?(charges: readonly GatewayCharge[], context: GatewayContext): Promise<Map<string, GatewayOutcome>>;
  /** Where the payer does what the charge waits for; `charge.returnUrl` is where the payer goes on then. */
  payerStep?(charge: GatewayCharge, context: GatewayContext): Promise<PayerStep>;
  /** What the payer did there; absent: as {@link lookUp} says. */
  finishStep?(charge: GatewayCharge, context: GatewayContext): Promise<GatewayOutcome>;
  /** Cancels a charge that waits for the payer; an exception or false: it could not be stopped. */
  cancel?(charge: GatewayCharge, context: GatewayContext): Promise<boolean>;
  /** Gives money back over the way it came. */
  refund?(refunds: readonly GatewayRefund[], context: GatewayContext): Promise<Map<string, RefundOutcome>>;
  /**
   * What became of refunds that were asked for; as {@link lookUp}. A gateway that cannot find them by our id answers
   * `unknown` for those without a reference that it may have.
   */
  lookUpRefunds?(refunds: readonly GatewayRefund[], context: GatewayContext): Promise<Map<string, RefundOutcome>>;
  /**
   * Reads a call-back after its signature was checked; events that mean nothing here give no notice.
   * @throws CallbackRefused when the signature is missing, wrong or too old.
   */
  readCallback?(callback: Callback): Promise<GatewayNotice[]>;
}

export type { RegistrationAnswer };

/** A call-back that nobody can vouch for. */
export class CallbackRefused extends Error {}

/** The gateways of this installation, by name. */
export abstract class Gateways {
  abstract find(name: string): PaymentGateway | undefined;
}
