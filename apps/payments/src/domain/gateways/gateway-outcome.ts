/**
 * What a gateway said about a charge. `pending`: it took the order, and its word comes later (a call-back, a line of
 * the bank statement). `unknown`: it must be asked again, with the same id. `final`: trying again is pointless; where a
 * gateway does not say so, the reason decides.
 */
export type GatewayOutcome =
  | { readonly status: 'succeeded'; readonly reference: string }
  | { readonly status: 'declined'; readonly reason: string; readonly final?: boolean; readonly reference?: string }
  | { readonly status: 'action_required'; readonly reference: string }
  | { readonly status: 'pending'; readonly reference: string }
  | { readonly status: 'unknown' };

/**
 * What a gateway said about money that is to go back; nobody has to act for it. `reported`: somebody says that what had gone out came
 * back, and what the bank kept of it; no statement line has shown that.
 */
export type RefundOutcome =
  | Exclude<GatewayOutcome, { readonly status: 'action_required' }>
  | { readonly status: 'declined'; readonly reason: string; readonly reported: { readonly feeMinor: bigint } };
