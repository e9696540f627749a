/**
 * ISO 4217 currencies whose minor unit is not 1/100, by number of decimals. A table and not `Intl`, which follows
 * everyday use and differs from ISO 4217 for 29 currencies.
 * @see ISO 4217 list one (2025)
 */
const EXPONENTS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  CLF: 4,
  UYW: 4,
};

const TWO_DECIMALS = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
  CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
  HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR
  MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD
  SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG
  YER ZAR ZMW ZWG
`;

const TABLE = new Map<string, number>([
  ...Object.entries(EXPONENTS),
  ...TWO_DECIMALS.trim()
    .split(/\s+/)
    .map((code): [string, number] => [code, 2]),
]);

/** True for an active ISO 4217 currency in upper case. */
export const isCurrency = (code: unknown): code is string => typeof code === 'string' && TABLE.has(code);

/**
 * Number of decimals of a currency's minor unit: JPY 0, EUR 2, KWD 3.
 * @throws RangeError for an unknown code.
 */
export function exponentOf(code: string): number {
  const exponent = TABLE.get(code);
  if (exponent === undefined) throw new RangeError(`"${code}" is not an ISO 4217 currency`);
  return exponent;
}

export const currencyCodes = (): string[] => [...TABLE.keys()].sort();
