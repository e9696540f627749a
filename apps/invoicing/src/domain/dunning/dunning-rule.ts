import { addDays, type Day, startOfDay } from '@kontor/kernel';
import type { DunningType } from './dunning-document.js';

/** One level of dunning. */
export interface DunningRule {
  readonly id: string;
  readonly level: number;
  readonly type: DunningType;
  /** The first level counts from the due date, each later one from the document before it. */
  readonly daysOverdue: number;
  /** Days until the letter's own date of payment. */
  readonly dueInDays: number;
  readonly feeMinor: bigint;
  /** No fee is charged for invoices in another currency. */
  readonly feeCurrencyCode: string;
  readonly attachOriginalInvoice: boolean;
  readonly isEnabled: boolean;
}

/** Invoices of the levels `from` to `below` come to a rule when they count from an instant before `before`. */
export interface DueStep {
  readonly rule: DunningRule;
  readonly from: number;
  readonly below: number;
  readonly before: Date;
}

/**
 * What a day's run looks for: which level follows which, and since when. Levels come in order, none is left out but those
 * that are switched off; at most one a day.
 */
export function dueSteps(rules: readonly DunningRule[], today: Day, zone: string): DueStep[] {
  const enabled = rules.filter((rule) => rule.isEnabled).sort((a, b) => a.level - b.level);
  return enabled.map((rule, index) => ({
    rule,
    from: enabled[index - 1]?.level ?? 0,
    below: rule.level,
    before: startOfDay(addDays(today, 1 - Math.max(1, rule.daysOverdue)), zone),
  }));
}

/** The step for an invoice of this level, if it is due. */
export const stepFor = (
  steps: readonly DueStep[],
  invoice: { readonly dunningLevel: number; readonly lastReminderAt: Date | null; readonly dueAt: Date | null },
): DueStep | undefined => {
  const since = invoice.lastReminderAt ?? invoice.dueAt;
  return steps.find(
    ({ from, below, before }) =>
      invoice.dunningLevel >= from && invoice.dunningLevel < below && since !== null && since < before,
  );
};
