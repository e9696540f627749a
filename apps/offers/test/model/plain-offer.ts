const DAY = 86_400_000;

export interface Signer {
  readonly token: string;
  readonly turn: number;
  hasSigned: boolean;
}

/** What is answered, in one word: `done`, or the reason of the refusal. */
export type Outcome = string;

/** An offer as its rules say, without a database and without time of its own. */
export class PlainOffer {
  status: 'open' | 'signing' | 'awaiting_invoice_details' | 'signed' | 'archived' = 'open';
  /** Counts edits; what is published is one of them. */
  current = 1;
  published: number | null = null;
  /** The quantity that the buyer has chosen since it was published; null: as published. */
  choice: number | null = null;
  expiredFor: number | null = null;
  expiries = 0;
  signings = 0;
  sale: 'pending' | 'done' | 'failed' | null = null;

  constructor(
    readonly id: string,
    readonly mode: 'click' | 'esignature' | 'print',
    readonly hasAddress: boolean,
    readonly signers: readonly Signer[],
    public validUntil: number | null,
  ) {}

  /** Names what is agreed to. */
  get version(): string {
    return `${this.id} ${this.published} ${this.choice}`;
  }

  get hasUnpublishedChanges(): boolean {
    return this.current !== this.published;
  }

  edit(): Outcome {
    if (this.status !== 'open') return 'invalid_status_transition';
    this.current += 1;
    return 'done';
  }

  /** Why it cannot be published as it stands; that is found without billing. */
  whyUnpublishable(now: number): Outcome | null {
    if (this.status !== 'open') return 'invalid_status_transition';
    return this.validUntil !== null && this.validUntil <= now ? 'validation_failed' : null;
  }

  publish(now: number): Outcome {
    const refusal = this.whyUnpublishable(now);
    if (refusal) return refusal;
    if (this.current !== this.published) this.choice = null;
    this.published = this.current;
    return 'done';
  }

  extend(now: number, validUntil: number): Outcome {
    if (this.status !== 'open') return 'invalid_status_transition';
    if (validUntil <= now || (this.validUntil !== null && validUntil <= this.validUntil)) return 'validation_failed';
    this.validUntil = validUntil;
    return 'done';
  }

  archive(): Outcome {
    if (this.status === 'signed' || this.status === 'archived') return 'invalid_status_transition';
    this.status = 'archived';
    return 'done';
  }

  /** The check, or somebody who opens the link: announced once for each end. */
  pass(now: number): void {
    if (this.status !== 'open' || this.published === null || this.validUntil === null) return;
    if (this.validUntil >= now || this.expiredFor === this.validUntil) return;
    this.expiredFor = this.validUntil;
    this.expiries += 1;
  }

  open(now: number): Outcome {
    if (this.published === null || this.status === 'archived') return 'not_found';
    if (!this.isOver(now)) return 'done';
    this.pass(now);
    return 'offer_expired';
  }

  choose(now: number, quantity: number): Outcome {
    const opened = this.open(now);
    if (opened !== 'done') return opened;
    if (this.status !== 'open') return 'invalid_status_transition';
    if (quantity < 2 || quantity > 9) return 'validation_failed';
    if (quantity !== (this.choice ?? 3)) this.choice = quantity;
    return 'done';
  }

  /** `isCurrent`: what was read is what is published and chosen. */
  accept(now: number, isCurrent: boolean): Outcome {
    const opened = this.open(now);
    if (opened !== 'done') return opened;
    if (this.status === 'signed' && this.mode === 'click' && isCurrent) return 'done';
    if (this.status !== 'open' && this.status !== 'signing') return 'invalid_status_transition';
    if (!isCurrent) return 'offer_changed';
    if (this.mode === 'esignature') return 'signature_required';
    if (this.mode === 'print') return 'not_acceptable_online';
    return this.complete();
  }

  sign(now: number, signer: Signer, isCurrent: boolean): Outcome {
    const opened = this.open(now);
    if (opened !== 'done') return opened;
    if (this.status !== 'open' && this.status !== 'signing') return 'invalid_status_transition';
    if (signer.hasSigned) return 'already_signed';
    const others = this.signers.filter((other) => other !== signer && !other.hasSigned);
    if (others.some(({ turn }) => turn < signer.turn)) return 'not_your_turn';
    if (!isCurrent) return 'offer_changed';
    if (this.mode === 'click') return 'no_signature_wanted';
    if (this.mode === 'print') return 'not_acceptable_online';
    signer.hasSigned = true;
    this.status = 'signing';
    this.current = this.published!;
    if (others.length > 0) return 'done';
    if (this.hasAddress) return this.complete();
    this.status = 'awaiting_invoice_details';
    return 'done';
  }

  details(now: number): Outcome {
    const opened = this.open(now);
    if (opened !== 'done') return opened;
    return this.status === 'awaiting_invoice_details' ? this.complete() : 'invalid_status_transition';
  }

  acceptByStaff(now: number): Outcome {
    if (this.status === 'signed' && this.sale === 'failed') {
      this.sale = 'pending';
      return 'done';
    }
    if ((this.status !== 'open' && this.status !== 'signing') || this.published === null)
      return 'invalid_status_transition';
    return this.isOver(now) ? 'offer_expired' : this.complete();
  }

  cancelSigning(): Outcome {
    if (this.status !== 'signing' && this.status !== 'awaiting_invoice_details') return 'invalid_status_transition';
    this.status = 'open';
    for (const signer of this.signers) signer.hasSigned = false;
    return 'done';
  }

  private isOver(now: number): boolean {
    const waits = this.status === 'open' || this.status === 'signing';
    return waits && this.validUntil !== null && this.validUntil < now;
  }

  private complete(): Outcome {
    this.status = 'signed';
    this.current = this.published!;
    this.signings += 1;
    this.sale = 'pending';
    return 'done';
  }
}

/** Never the same instant twice: ends of validity fall between the steps of time. */
export const daysFrom = (now: number, days: number): number => now + days * DAY + 1;
