import { exponentOf, formatMajor, money } from '@kontor/money';
import type { ExplainedDiscount } from '../rating/discount.js';
import type { Explanation, UsageExplanation } from './charge.js';

const WORDS = {
  de: {
    days: (used: number, of: number) => `anteilig ${used} von ${of} Tagen`,
    unused: (days: number, of: number) => `Gutschrift für nicht genutzte Zeit: ${days} von ${of} Tagen`,
    free: (units: number) => (units === 1 ? '1 Einheit frei' : `${units} Einheiten frei`),
    minimum: 'Mindestpreis',
    flat: 'pauschal',
    quantity: (quantity: string) => `Menge ${quantity}`,
    discount: 'Rabatt',
    ends: (name: string, times: number) =>
      `${name} endet nach ${times === 1 ? 'der ersten Abrechnung' : `${times} Abrechnungen`}`,
    used: 'Verbrauch',
    corrected: (now: string, before: string, right: string, billed: string) =>
      `Korrektur: Verbrauch ${now} statt ${before}; richtig ${right}, berechnet ${billed}`,
  },
  en: {
    days: (used: number, of: number) => `prorated, ${used} of ${of} days`,
    unused: (days: number, of: number) => `Credit for unused time: ${days} of ${of} days`,
    free: (units: number) => (units === 1 ? '1 unit free' : `${units} units free`),
    minimum: 'Minimum price',
    flat: 'flat',
    quantity: (quantity: string) => `quantity ${quantity}`,
    discount: 'Discount',
    ends: (name: string, times: number) =>
      `${name} ends after ${times === 1 ? 'the first invoice' : `${times} invoices`}`,
    used: 'Usage',
    corrected: (now: string, before: string, right: string, billed: string) =>
      `Correction: usage ${now} instead of ${before}; right ${right}, billed ${billed}`,
  },
} as const;
type Language = keyof typeof WORDS;

const number = (text: string, language: Language): string => (language === 'de' ? text.replace('.', ',') : text);

/**
 * What a document shows beside the period of a line that is not plainly quantity × price: shares of days, slices, free
 * units, discounts, a minimum. Null when there is nothing to add. `de` or English.
 */
export function describeLine(explanation: Explanation, currencyCode: string, language: string): string | null {
  const lang: Language = language === 'de' ? 'de' : 'en';
  const words = WORDS[lang];
  const { days, credit } = explanation;
  if (credit && days) return [words.unused(days.used, days.of), ...creditedText(explanation, lang)].join('; ');
  const { usage } = explanation;
  if (usage?.correction) return correctionText(usage, usage.correction, currencyCode, lang);
  const parts: string[] = usage ? [`${words.used} ${amountText(usage.quantity, usage.unit, lang)}`] : [];
  if (namesSlices(explanation)) parts.push(slicesText(explanation, currencyCode, lang));
  if (explanation.freeUnits > 0) parts.push(words.free(explanation.freeUnits));
  if (days) parts.push(words.days(days.used, days.of));
  for (const discount of explanation.discounts) parts.push(discountText(discount, currencyCode, lang));
  if (explanation.minimumPrice) parts.push(words.minimum);
  return parts.length === 0 ? null : parts.join('; ');
}

/**
 * Whether the units and their prices are to be said. A share or a minimum is stated as one amount, once: what it is for
 * would be read as one unit.
 */
function namesSlices({ slices, days, minimumPrice, usage }: Explanation): boolean {
  if (slices.some(({ flatPrice, group }) => flatPrice !== null || group !== undefined)) return true;
  const once = (days !== null || minimumPrice) && usage === undefined;
  return slices.length > 1 || (once && slices.some(({ quantity }) => quantity !== '1'));
}

/** How many units a credit is for, which is one amount as well. */
const creditedText = ({ priceType, quantity }: Explanation, language: Language): string[] =>
  priceType === 'flat_fee' || quantity === '1' ? [] : [WORDS[language].quantity(number(quantity, language))];

/** {@link describeLine} of a line that is yet to be agreed to, with those of its discounts that end: how often they are taken. */
export function describeOffered(
  description: string | null,
  ending: readonly { readonly name: string; readonly times: number }[],
  language: string,
): string | null {
  const words = WORDS[language === 'de' ? 'de' : 'en'];
  const parts = [...(description ? [description] : []), ...ending.map(({ name, times }) => words.ends(name, times))];
  return parts.length === 0 ? null : parts.join('; ');
}

const amountText = (quantity: string, unit: string | null, language: Language): string =>
  `${number(quantity, language)}${unit ? ` ${unit}` : ''}`;

/** `Rabatt Sommer 10 %`, `Rabatt Treue 5,00 EUR`: what it took off in all is in the document's figures. */
function discountText(
  { name, type, percentage, amount }: ExplainedDiscount,
  currencyCode: string,
  language: Language,
): string {
  const off =
    type === 'percentage'
      ? `${number(percentage ?? '0', language)} %`
      : `${number(formatMajor(money(BigInt(amount), currencyCode)), language)} ${currencyCode}`;
  return `${WORDS[language].discount} ${name} ${off}`;
}

function correctionText(
  usage: UsageExplanation,
  { quantity, billed, now }: NonNullable<UsageExplanation['correction']>,
  currencyCode: string,
  language: Language,
): string {
  const major = (minor: number): string =>
    `${number(formatMajor(money(BigInt(minor), currencyCode)), language)} ${currencyCode}`;
  return WORDS[language].corrected(
    amountText(usage.quantity, usage.unit, language),
    number(quantity, language),
    major(now),
    major(billed),
  );
}

/** `10 × 10.00 + 40 × 8.00 EUR`. */
function slicesText({ slices }: Explanation, currencyCode: string, language: Language): string {
  const decimals = exponentOf(currencyCode);
  const price = (text: string): string => number(padded(text, decimals), language);
  const terms = slices.map((slice) => {
    const byUnit =
      slice.unitPrice !== null && Number(slice.unitPrice) !== 0
        ? `${number(slice.quantity, language)} × ${price(slice.unitPrice)}`
        : null;
    const flat = slice.flatPrice === null ? null : `${price(slice.flatPrice)} ${WORDS[language].flat}`;
    const group =
      slice.group === undefined
        ? ''
        : `${Object.values(slice.group)
            .map((value) => value || '–')
            .join('/')}: `;
    return (
      group +
      ([byUnit, flat].filter((text) => text !== null).join(' + ') ||
        `${number(slice.quantity, language)} × ${price('0')}`)
    );
  });
  return `${terms.join(' + ')} ${currencyCode}`;
}

function padded(text: string, decimals: number): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = fraction.padEnd(decimals, '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}
