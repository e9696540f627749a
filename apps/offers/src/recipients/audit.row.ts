import { newUuid } from '@kontor/kernel';
import { InstantColumn, JsonColumn, rowTable, type TenantTx } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AuditAction =
  | 'options_chosen'
  | 'price_updated'
  | 'accepted'
  | 'signed'
  | 'invoice_details_given'
  | 'accepted_by_staff'
  | 'signing_cancelled'
  | ApprovalAction;

/** What happens before publication, which concerns the seller alone. */
export const APPROVAL_ACTIONS = ['approval_requested', 'approved', 'rejected'] as const;
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

/** One entry of an offer's audit log; the database refuses to change it. */
@Entity('offer_audit')
export class AuditRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'text', update: false }) offerId!: string;
  @InstantColumn({ update: false }) at!: Date;
  @Column({ type: 'text', update: false }) action!: AuditAction;
  @Column({ type: 'text', nullable: true, update: false }) email!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) name!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) ip!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) userAgent!: string | null;
  @Column({ type: 'text', nullable: true, update: false }) versionHash!: string | null;
  @JsonColumn({ nullable: true, update: false }) details!: Record<string, unknown> | null;
}

export const audits = rowTable(AuditRow);

/** An entry that buyers may read, too. */
export type BuyersEntry = AuditRow & { readonly action: Exclude<AuditAction, ApprovalAction> };
export const isForBuyers = (entry: AuditRow): entry is BuyersEntry =>
  !APPROVAL_ACTIONS.some((action) => action === entry.action);

/** From where somebody acts. */
export interface Visitor {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export type AuditEntry = Pick<AuditRow, 'offerId' | 'action'> & Partial<AuditRow>;

/** Adds an entry at the transaction's time. */
export const addAudit = (tx: TenantTx, entry: AuditEntry): Promise<void> =>
  audits.insert(tx, {
    email: null,
    name: null,
    ip: null,
    userAgent: null,
    versionHash: null,
    details: null,
    ...entry,
    tenantId: tx.tenantId,
    id: newUuid(),
    at: tx.now,
  });
