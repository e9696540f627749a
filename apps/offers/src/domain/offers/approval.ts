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

/** What was asked of whom about one version of an offer. */
export interface OfferApproval {
  readonly versionHash: string;
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

/** @throws DomainError `approval_required` unless all who have to, by now, have approved the offer as it stands, and nobody refused it */
export function assertApproved(offer: Approved, required: readonly string[]): void {
  if (required.length === 0) return;
  const approval = standingRequest(offer);
  if (!approval || !required.every((id) => hasApproved(approval, id)))
    throw new DomainError('approval_required', {
      detail: 'The offer is published when all who have to have approved it.',
    });
}

/** What was asked about the offer as it stands, and not refused. */
export function standingRequest(offer: Approved): OfferApproval | null {
  const state = approvalState(offer);
  return state === 'requested' || state === 'approved' ? offer.approval : null;
}

/** For whom the offer waits since it was asked: who was asked `before` knows. */
export const newlyAsked = (asked: OfferApproval, before: OfferApproval | null): Approver[] =>
  asked.approvers.filter(
    ({ id }) => !hasApproved(asked, id) && !before?.approvers.some((approver) => approver.id === id),
  );

/** Asks anew. Of the same version, not refused, the answers stay; asked of the same people, it stays as it is. */
export function requestApproval(
  offer: Approved,
  approvers: readonly Approver[],
  { by, now }: { by: string | null; now: Date },
): OfferApproval {
  if (approvers.length === 0)
    throw new DomainError('no_approvers', { detail: 'Nobody has to approve the offer: publish it.' });
  const known = standingRequest(offer);
  const isAsked = ({ id }: Approver) => known?.approvers.some((asked) => asked.id === id);
  if (known?.approvers.length === approvers.length && approvers.every(isAsked)) return known;
  return {
    versionHash: offer.currentVersionHash,
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
