import type { DocumentSnapshot, SnapshotExchangeRate, SnapshotPosition } from '../finalization/document-snapshot.js';

const germanDay = (day: string): string => day.split('-').reverse().join('.');

/** Texts of an e-invoice in the document's language. */
export const texts = {
  de: {
    settled: 'Wird verrechnet oder erstattet.',
    payableBy: (day: string): string => `Zahlbar bis ${germanDay(day)}.`,
    converted: ({ sourceCurrencyCode, destinationCurrencyCode, rate, date }: SnapshotExchangeRate): string =>
      `Umrechnungskurs vom ${germanDay(date)}: 1 ${sourceCurrencyCode} = ${rate} ${destinationCurrencyCode}.`,
    alsoAbout: (numbers: readonly string[]): string => `Betrifft auch: ${numbers.join(', ')}.`,
    discount: 'Rabatt',
    partOf: (label: string): string => `Teil von Position ${label}`,
    usage: 'Verbrauch der Abrechnungszeiträume',
  },
  en: {
    settled: 'Is set off or refunded.',
    payableBy: (day: string): string => `Payable by ${day}.`,
    converted: ({ sourceCurrencyCode, destinationCurrencyCode, rate, date }: SnapshotExchangeRate): string =>
      `Exchange rate of ${date}: 1 ${sourceCurrencyCode} = ${rate} ${destinationCurrencyCode}.`,
    alsoAbout: (numbers: readonly string[]): string => `Also concerns: ${numbers.join(', ')}.`,
    discount: 'Discount',
    partOf: (label: string): string => `Part of position ${label}`,
    usage: 'Usage of the billing periods',
  },
} as const;

/** The norm has no lines below lines: one of them says what it is part of, others under which headline they stand. */
export function lineNote({ label, groupId }: SnapshotPosition, { groups, language }: DocumentSnapshot): string | null {
  const [parent, child] = label.split('.');
  if (child !== undefined && parent !== undefined) return texts[language].partOf(parent);
  return groups.find((group) => group.id === groupId)?.name.trim() || null;
}
