import { type Decimal, decimalOf, exponentOf, formatDecimal, unitPriceDecimal } from '@kontor/money';
import type { GroupPrice, PriceTerms, PriceTier } from '../rating/price-terms.js';
import { tierFlat, tierPrice } from '../rating/slices.js';

const WORDS = {
  de: {
    unit: 'Einheit',
    each: (price: string, unit: string) => `${price} je ${unit}`,
    packages: (price: string, size: string, unit: string) => `${price} je angefangene ${size} ${unit}`,
    share: (percentage: string) => `${percentage} % des gemessenen Betrags`,
    tiered: (unit: string) => `gestaffelt je ${unit}`,
    volume: (unit: string) => `je ${unit}, nach der ganzen Menge`,
    stair_step: 'pauschal nach der Menge',
    upTo: (bound: string, price: string) => `bis ${bound}: ${price}`,
    beyond: (price: string) => `darüber: ${price}`,
    flat: 'pauschal',
    free: (units: number) => `${units} frei`,
    minimum: (price: string) => `mindestens ${price}`,
  },
  en: {
    unit: 'unit',
    each: (price: string, unit: string) => `${price} per ${unit}`,
    packages: (price: string, size: string, unit: string) => `${price} per ${size} ${unit} or part of it`,
    share: (percentage: string) => `${percentage} % of the measured amount`,
    tiered: (unit: string) => `in tiers per ${unit}`,
    volume: (unit: string) => `per ${unit}, by the whole amount`,
    stair_step: 'flat, by amount',
    upTo: (bound: string, price: string) => `up to ${bound}: ${price}`,
    beyond: (price: string) => `beyond: ${price}`,
    flat: 'flat',
    free: (units: number) => `${units} free`,
    minimum: (price: string) => `at least ${price}`,
  },
} as const;
type Language = keyof typeof WORDS;

/** How the price of a measured quantity is computed, net, for who is to agree to it: `0.25 EUR per call; 100 free`. `de` or English. */
export function describePrice(terms: PriceTerms, unit: string | null, language: string): string {
  const lang: Language = language === 'de' ? 'de' : 'en';
  const words = WORDS[lang];
  const number = (text: string): string => (lang === 'de' ? text.replace('.', ',') : text);
  const money = (amount: Decimal): string =>
    `${number(formatDecimal(amount, exponentOf(terms.currencyCode)))} ${terms.currencyCode}`;
  const per = unit ?? words.unit;

  const tierText = (tier: PriceTier): string => {
    const byUnit =
      BigInt(tier.unitPriceAmount) === 0n ? null : money(unitPriceDecimal(tierPrice(tier, terms.currencyCode)));
    const flat = BigInt(tier.flatPriceAmount) === 0n ? null : money(tierFlat(tier, terms.currencyCode));
    const flatText = flat && (terms.type === 'stair_step' ? flat : `${flat} ${words.flat}`);
    const price = [byUnit, flatText].filter(Boolean).join(' + ') || money(decimalOf(0));
    return tier.upTo === null ? words.beyond(price) : words.upTo(number(tier.upTo), price);
  };
  const coreOf = ({ priceAmount, pricePrecision, tiers, packageSize, percentage }: PriceTerms | GroupPrice): string => {
    const price = money(decimalOf(BigInt(priceAmount ?? 0), pricePrecision ?? exponentOf(terms.currencyCode)));
    switch (terms.type) {
      case 'flat_fee':
        return `${price} ${words.flat}`;
      case 'per_unit':
        return words.each(price, per);
      case 'package':
        return words.packages(price, number(packageSize ?? '1'), per);
      case 'percentage':
        return words.share(number(percentage ?? '0'));
      case 'stair_step':
        return `${words.stair_step}: ${tiers.map(tierText).join(', ')}`;
      default:
        return `${words[terms.type](per)}: ${tiers.map(tierText).join(', ')}`;
    }
  };
  const priced = (price: PriceTerms | GroupPrice): string =>
    [coreOf(price), ...(price.freeUnits > 0 ? [words.free(price.freeUnits)] : [])].join('; ');
  const groups = (terms.groupPrices ?? []).map(
    (price) =>
      `${Object.values(price.group)
        .map((value) => value || '–')
        .join('/')}: ${priced(price)}`,
  );
  const minimum = terms.minimumPriceAmount ?? 0n;
  return [
    priced(terms),
    ...groups,
    ...(minimum > 0n ? [words.minimum(money(decimalOf(minimum, exponentOf(terms.currencyCode))))] : []),
  ].join('; ');
}
