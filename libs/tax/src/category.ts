/**
 * VAT category of a line as EN 16931 codes it: S standard (any positive rate), Z zero rate, E exempt, AE reverse
 * charge, K intra-community supply, G export of goods, O outside the scope of the seller's tax.
 * @see UNCL 5305 subset of EN 16931, BT-118 and BT-151
 */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];
