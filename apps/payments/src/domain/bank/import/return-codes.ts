/** ISO sub-families (external code list BankTransactionCode) that mean: earlier money goes back. */
const SUB_FAMILIES = new Set(['UPDD', 'PRDD', 'RCDD', 'RRTN', 'RPCR', 'UPCT', 'UPCQ', 'ARET']);

/** German business transaction codes (GVC): returned debits, returned transfers, reversed debits. */
const GVC = new Set(['108', '109', '159', '181', '184']);

/** Whether a bank transaction code (`PMNT/IDDT/UPDD`, `NDDT`, `109`) means a return. */
export const isReturnCode = (codes: readonly string[]): boolean =>
  codes.some((code) => {
    const sub = code.split('/')[2];
    return (sub !== undefined && SUB_FAMILIES.has(sub)) || GVC.has(code) || /^RTI$|^NRTI$/.test(code);
  });

const REASONS: Readonly<Record<string, string>> = {
  AC01: 'the account number is wrong',
  AC04: 'the account is closed',
  AC06: 'the account is blocked',
  AG01: 'the account does not allow debits',
  AM04: 'not enough money on the account',
  AM05: 'the debit was a duplicate',
  BE05: 'the creditor is unknown',
  MD01: 'there is no valid mandate',
  MD06: 'the payer objected and wants the money back',
  MD07: 'the payer has died',
  MS02: 'the payer refused',
  MS03: 'the bank gives no reason',
  SL01: "the payer's bank blocks the debit",
};

/** A return code in words: `AM04 (not enough money on the account)`. */
export const returnReasonInWords = (code: string | null): string => {
  if (code === null) return 'returned by the bank';
  const words = REASONS[code];
  return words === undefined ? code : `${code} (${words})`;
};
