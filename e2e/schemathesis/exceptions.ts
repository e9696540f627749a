import type { Finding } from './report.js';

/** Something that schemathesis reports and that is meant. */
export interface KnownException {
  readonly check: 'positive_data_acceptance' | 'negative_data_rejection';
  /** Absent: whichever. */
  readonly operations?: RegExp;
  /** Of the problem. `validation_failed` and `invalid_request` need `codes` as well. */
  readonly reason?: string | readonly string[];
  /** Of violations; each violation of the answer falls under an exception. */
  readonly codes?: readonly string[];
  /** In what schemathesis says of it. */
  readonly story?: RegExp;
  /** Found by chance, so not in every short run. */
  readonly rare?: true;
  readonly why: string;
}

const refused = 'positive_data_acceptance' as const;

/** Refusals of single rules, which follow from what a tenant has. */
const RULES = [
  'account_mismatch',
  'already_signed',
  'ambiguous_subscription_item',
  'amount_out_of_range',
  'assignment_amounts_with_wallet_disposition',
  'cart_expired',
  'charge_credited',
  'change_not_allowed',
  'company_required',
  'company_sign_in_unproved',
  'coupon_disabled',
  'coupon_exhausted',
  'coupon_expired',
  'coupon_not_allowed',
  'coupon_not_applicable',
  'credit_exceeds_rest',
  'currency_mismatch',
  'currency_mix',
  'customer_anonymized',
  'customer_archived',
  'customer_in_use',
  'customer_merged',
  'customer_missing',
  'customer_suspended',
  'customer_required',
  'customers_not_mergeable',
  'deletion_began',
  'exchange_rate_missing',
  'feature_archived',
  'foreign_customer',
  'hierarchy_invalid',
  'in_use',
  'insufficient_credit',
  'invalid_document_type',
  'invalid_status_transition',
  'invoice_not_draft',
  'invoice_not_finalizing',
  'invoice_not_payable',
  'invoice_not_refundable',
  'invoice_not_unpaid',
  'last_administrator',
  'link_disabled',
  'link_not_open',
  'multiple_customers',
  'new_default_payment_method_required',
  'no_possible_cancellation_date',
  'no_signature_wanted',
  'no_single_payment_intent',
  'no_suggestion',
  'non_positive_transaction',
  'not_acceptable_online',
  'not_your_turn',
  'nothing_to_choose',
  'number_of_own_series',
  'payment_in_progress',
  'payment_method_refused',
  'payment_method_required',
  'payout_not_available',
  'position_tree_too_deep',
  'positions_missing',
  'price_plan_in_use',
  'quantity_not_editable',
  'recipient_cannot_sign',
  'recipient_missing',
  'redirect_not_allowed',
  'return_transaction',
  'role_in_use',
  'seller_data_incomplete',
  'signature_required',
  'sold_out',
  'subscription_ended',
  'subscription_not_draft',
  'tax_rate_missing',
  'terms_not_accepted',
  'too_many_addresses',
  'too_many_contacts',
  'too_many_custom_fields',
  'too_many_discounts',
  'too_many_entitlements',
  'too_many_metrics',
  'too_many_recipients',
  'too_many_roles',
  'too_many_rules',
  'too_many_thresholds',
  'too_many_webhooks',
  'total_differs',
  'transaction_not_assignable',
  'trial_not_running',
  'webhook_disabled',
];

/**
 * What a document cannot state. A request that follows it may still be refused because of these; because of nothing else.
 * Each of them must still occur, or it goes.
 */
export const EXCEPTIONS: readonly KnownException[] = [
  { check: refused, reason: 'unknown_reference', why: 'Which ids exist is the state of a tenant.' },
  { check: refused, reason: 'name_differs', why: 'How the organisation is called is the state of a tenant.' },
  { check: refused, reason: 'already_exists', why: 'Which codes and numbers are taken is the state of a tenant.' },
  {
    check: refused,
    reason: RULES,
    rare: true,
    why: 'Rules of what is stored: states, sums, and what hangs on an object.',
  },
  {
    check: refused,
    operations: /^(POST|PUT) \/(oauth\/clients|api-keys|identity-provider)/,
    reason: 'validation_failed',
    codes: ['invalid_uri', 'invalid_url', 'invalid_ip_range'],
    rare: true,
    why: 'Addresses of apps and ranges of addresses are checked as what they mean; a pattern would say half of it.',
  },
  {
    check: refused,
    operations: /\/(user-invitations|public\/users|public\/account)/,
    reason: 'rate_limited',
    rare: true,
    why: 'How many attempts and mails there were before is counted.',
  },
  { check: refused, reason: 'clock_moves_forward_only', why: "Where a sandbox' clock stands is its state." },
  {
    check: refused,
    reason: 'nothing_to_export',
    why: 'Whether something waits for the bank is the state of a tenant.',
  },
  { check: refused, reason: 'statement_unreadable', why: 'A bank statement is a file; the document says "binary".' },
  {
    check: refused,
    operations: /^POST \/.*\/import$/,
    reason: 'file_unreadable',
    why: 'A file of customers or products is CSV; the document says "binary".',
  },
  {
    check: refused,
    operations: /^POST \/.*\/import$/,
    reason: 'validation_failed',
    codes: ['required', 'unknown_field', 'duplicate'],
    rare: true,
    why: 'The header of a file names fields; the document says "binary".',
  },
  {
    check: refused,
    operations: /entitlement/,
    reason: 'validation_failed',
    codes: ['required', 'invalid_value', 'invalid_type', 'invalid_config', 'unknown_field'],
    rare: true,
    why: 'The type of a feature decides which config and which values it has.',
  },
  {
    check: refused,
    operations: /^POST \/api\/usage-events\/import$/,
    reason: 'unsupported_media_type',
    why: 'The name of an uploaded file says whether it is CSV or NDJSON.',
  },
  {
    check: refused,
    reason: 'validation_failed',
    codes: [
      'required',
      'not_allowed',
      'duplicate',
      'exclusive',
      'either_or',
      'contradiction',
      'fixed',
      'not_applicable',
      'not_of_this_kind',
      'default_not_allowed',
      'currency_mismatch',
      'currency_not_supported',
      'too_many_decimals',
      'not_later',
      'out_of_bounds',
      'must_be_later',
      'foreign_subscription',
      'negative_total',
      'amount_too_large',
      'nothing_credited',
      'not_active',
      'not_usable',
      'archived',
      'unknown_account',
    ],
    why: 'These codes say that a field does not fit another one, or what is stored: a type decides what is needed, a currency the decimals.',
  },
  {
    check: refused,
    operations:
      /^(POST|PUT) \/(customers|subscription-measurements|api\/usage-metrics|price-plans|billing-groups|custom-fields|payment-methods)|\/products$/,
    reason: 'validation_failed',
    codes: ['invalid_choice', 'invalid_tiers', 'invalid_value', 'invalid_group', 'out_of_range'],
    why: 'One field decides which values of others fit: the type of a price, of a group, of a metric, of a gateway.',
  },
  {
    check: refused,
    operations: /^(POST|PUT) \/dunning\/overdue-rules/,
    reason: 'validation_failed',
    codes: ['negative_amount', 'out_of_range'],
    rare: true,
    why: 'An amount of money may have either sign; the fee of a letter may not be negative.',
  },
  {
    check: refused,
    operations: /^(POST|PUT) \/(api\/wallet\/|invoices\/\{id\}\/payments$)/,
    reason: 'validation_failed',
    codes: ['out_of_range'],
    rare: true,
    why: 'The currency decides how many minor units an amount has.',
  },
  {
    check: refused,
    operations: /^POST \/api\/wallet\/(auto-)?top-up$/,
    reason: 'invalid_request',
    codes: ['required'],
    rare: true,
    why: 'Who asks with a key names the customer; a customer who asks is one.',
  },
  {
    check: refused,
    operations: /^PUT \/exchange-rates$/,
    reason: 'validation_failed',
    codes: ['invalid_currency'],
    why: 'Rates are units per euro, so the euro itself has none.',
  },
  {
    check: refused,
    reason: 'validation_failed',
    codes: [
      'in_the_future',
      'in_future',
      'date_in_future',
      'must_be_in_future',
      'in_the_past',
      'date_in_past',
      'mandate_expired',
    ],
    why: 'What is past and what is future depends on the time.',
  },
  {
    check: refused,
    operations: /^(POST|PUT) \/(customers|subscription-measurements)/,
    reason: 'invalid_request',
    codes: ['required'],
    why: 'One of two names is needed; a measurement names its subscription or its item.',
  },
  {
    check: refused,
    operations: /^PUT \/settings\/billing$/,
    reason: 'validation_failed',
    codes: ['invalid_value'],
    rare: true,
    why: 'Numbers of two kinds of document must differ.',
  },
  {
    check: refused,
    operations: /^POST \/(offers|api-keys)$/,
    reason: 'validation_failed',
    codes: ['invalid_value'],
    why: 'When a key or an offer may end depends on the time.',
  },
  {
    check: refused,
    reason: 'validation_failed',
    codes: ['unknown_custom_field'],
    why: 'Which custom fields there are is configured by the tenant.',
  },
  {
    check: refused,
    operations: /^GET /,
    reason: 'invalid_request',
    codes: ['invalid_parameter'],
    why: 'A cursor comes from a page before; the end of a span comes after its beginning.',
  },
  {
    check: refused,
    operations: /^GET \/api\/usage-metrics\/\{id\}\/query$/,
    reason: 'validation_failed',
    codes: ['invalid_value'],
    rare: true,
    why: 'A query groups by what its metric groups by.',
  },
  {
    check: refused,
    operations: /^GET \/ledger\/datev$/,
    reason: 'validation_failed',
    codes: ['two_fiscal_years'],
    rare: true,
    why: 'A batch lies in one fiscal year, which is a setting.',
  },
  {
    check: 'negative_data_rejection',
    // Nothing but a format, and a null was sent.
    story: /^[^-]*- violates `format` at [^\n]*\n(?! *- )[\s\S]*\bnull\b/,
    rare: true,
    why: 'schemathesis breaks a format by null, also where null is allowed.',
  },
  {
    check: 'negative_data_rejection',
    story:
      /^[^\n]*\n[^\n]*\nInvalid component: in body(?: - [^\n]*: Value is not allowed\n|\n(?: *- [^\n]*\n)*? *- violates `not` at )/,
    rare: true,
    why: 'What the service sets itself may be sent back as it was read, and is ignored.',
  },
  {
    check: refused,
    operations: /^PUT \/public\/checkout\/cart\//,
    reason: 'invalid_request',
    codes: ['required'],
    rare: true,
    why: 'Whether a cart knows its buyer already is its state.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^POST \/(api\/usage-events|subscription-measurements\/batch)$/,
    why: 'The answer names each item of a batch that is wrong, and the rest is stored.',
  },
  {
    check: refused,
    reason: 'unknown_field',
    story: /"propertyPath\\?":\\?"[^"]*__proto__/,
    rare: true,
    why: 'A JSON object may have a field of any name; in JavaScript this one would be set on all objects.',
  },
  {
    check: refused,
    operations: /^POST \/public\/account\/forgot-password$/,
    rare: true,
    why: 'Addresses that a standard allows and no mail server has are refused with the page, which names no reason.',
  },
  {
    check: refused,
    operations: /^(GET|POST) \/public\/account\/company\/.*\/logout$/,
    rare: true,
    why: 'Only what the identity provider of the tenant reports of its own sessions counts; the refusal is the standard’s.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^POST \/public\/offers\/\{token\}\/sign$/,
    reason: 'payload_too_large',
    rare: true,
    why: 'A drawing that is far too large is refused before its fields are looked at.',
  },
  {
    check: refused,
    operations: /^(GET|POST) \/public\/(payment-methods|checkout\/(links|carts))\//,
    story: /\n410 /,
    rare: true,
    why: 'Whether a link or a cart is over depends on the time, and on what it was used for; the page names no reason.',
  },
  {
    check: 'negative_data_rejection',
    operations: /^POST \/public\/account$/,
    why: 'Who is not signed in is led to the sign-in, whatever the form says.',
  },
];

/** The exceptions that a finding falls under; none where one of its violations is not meant. */
export function exceptionsFor(finding: Finding): KnownException[] {
  const candidates = EXCEPTIONS.filter(
    ({ check, operations, reason, story }) =>
      check === finding.check &&
      (operations === undefined || operations.test(finding.operation)) &&
      (story === undefined || story.test(finding.story)) &&
      (reason === undefined || [reason].flat().includes(finding.reason ?? '')),
  );
  const whole = candidates.find(({ codes }) => codes === undefined);
  if (whole) return [whole];
  const found = finding.violations.map(({ code }) => candidates.find(({ codes }) => codes?.includes(code)));
  return found.every((exception) => exception !== undefined) ? found : [];
}
