import { DomainError } from '@kontor/kernel';

/** A user of the tenant. */
export interface Approver {
  readonly id: string;
  readonly name: string;
}

export interface ApprovalDecision {
  readonly approver: string;
  readonly decision: 'approved' | 'rejected';
  readonly comment: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** Versions of the price plans that an offer sells, by id. */
export type PriceVersions = Readonly<Record<string, number>>;

/** What was asked of whom about one version of an offer. */
export interface OfferApproval {
  readonly versionHash: string;
  /** As they were when it was asked; absent in what earlier releases stored. */
  readonly prices?: PriceVersions;
  readonly requestedAt: string;
  readonly requestedBy: string | null;
  readonly approvers: readonly Approver[];
  readonly decisions: readonly ApprovalDecision[];
}

export const APPROVAL_STATES = ['requested', 'approved', 'rejected', 'outdated'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** An offer, as far as its approval is about it. */
interface Approved {
  readonly approval: OfferApproval | null;
  readonly currentVersionHash: string;
}

/** Where an approval is; a change of the offer makes it outdated. Null: none was asked for. */
export function approvalState({ approval, currentVersionHash }: Approved): ApprovalState | null {
  if (!approval) return null;
  if (approval.versionHash !== currentVersionHash) return 'outdated';
  if (approval.decisions.some(({ decision }) => decision === 'rejected')) return 'rejected';
  return approval.approvers.every(({ id }) => hasApproved(approval, id)) ? 'approved' : 'requested';
}

const hasApproved = (approval: OfferApproval, id: string): boolean =>
  approval.decisions.some(({ approver, decision }) => approver === id && decision === 'approved');

/**
 * Null for `prices` does not look at them.
 * @throws DomainError `approval_required` unless all who have to, by now, have approved the offer as it stands and at its prices, and nobody refused it
 */
export function assertApproved(offer: Approved, required: readonly string[], prices: PriceVersions | null): void {
  if (required.length === 0) return;
  const approval = standingRequest(offer, null);
  if (!approval || !required.every((id) => hasApproved(approval, id)))
    throw new DomainError('approval_required', {
      detail: 'The offer is published when all who have to have approved it.',
    });
  if (!isAbout(approval, prices))
    throw new DomainError('approval_required', {
      detail: 'A price of the offer was changed after its approval was requested: request it again.',
    });
}

/** What was asked about the offer as it stands, and at these prices, and not refused. */
export function standingRequest(offer: Approved, prices: PriceVersions | null): OfferApproval | null {
  const state = approvalState(offer);
  const { approval } = offer;
  return approval && (state === 'requested' || state === 'approved') && isAbout(approval, prices) ? approval : null;
}

const isAbout = ({ prices: asked }: OfferApproval, prices: PriceVersions | null): boolean =>
  asked === undefined ||
  prices === null ||
  Object.entries(prices).every(([pricePlan, version]) => asked[pricePlan] === version);

/** For whom the offer waits since it was asked: who was asked `before` knows. */
export const newlyAsked = (asked: OfferApproval, before: OfferApproval | null): Approver[] =>
  asked.approvers.filter(
    ({ id }) => !hasApproved(asked, id) && !before?.approvers.some((approver) => approver.id === id),
  );

/** Asks anew. Of the same version at the same prices, not refused, the answers stay; asked of the same people, it stays as it is. */
export function requestApproval(
  offer: Approved,
  approvers: readonly Approver[],
  { by, prices, now }: { by: string | null; prices: PriceVersions; now: Date },
): OfferApproval {
  if (approvers.length === 0)
    throw new DomainError('no_approvers', { detail: 'Nobody has to approve the offer: publish it.' });
  const known = standingRequest(offer, prices);
  const isAsked = ({ id }: Approver) => known?.approvers.some((asked) => asked.id === id);
  if (known?.approvers.length === approvers.length && approvers.every(isAsked)) return known;
  return {
    versionHash: offer.currentVersionHash,
    prices,
    requestedAt: now.toISOString(),
    requestedBy: by,
    approvers,
    decisions: known?.decisions ?? [],
  };
}

/**
 * The same decision twice is one.
 * @throws DomainError `approval_not_requested`, 403 `not_an_approver`
 */
export function decide(
  offer: Approved,
  { approver, decision, comment }: Omit<ApprovalDecision, 'at'>,
  now: Date,
): OfferApproval {
  const { approval } = offer;
  const state = approvalState(offer);
  if (!approval || state === 'outdated')
    throw new DomainError('approval_not_requested', { detail: 'Nobody has asked to approve the offer as it stands.' });
  if (!approval.approvers.some(({ id }) => id === approver))
    throw new DomainError('not_an_approver', {
      kind: 'forbidden',
      detail: 'The approval of the offer is for other people to decide, who sign in as themselves.',
    });
  const before = approval.decisions.find((known) => known.approver === approver);
  if (before?.decision === decision) return approval;
  return {
    ...approval,
    decisions: [
      ...approval.decisions.filter((known) => known !== before),
      { approver, decision, comment, at: now.toISOString() },
    ],
  };
}
