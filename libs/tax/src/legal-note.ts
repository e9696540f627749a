/** Why a line carries no tax. Every key has its text in each document language. */
export type LegalNoteKey =
  'reverse_charge' | 'intra_community_supply' | 'export_of_goods' | 'outside_scope' | 'small_business' | 'exempt';

export interface LegalNote {
  readonly de: string;
  readonly en: string;
  /** VATEX code of the e-invoice (BT-121), where the code list has one. */
  readonly exemptionCode: string | null;
}

/** @see §§ 14, 14a, 19, 25a UStG; Directive 2006/112/EC; CEF VATEX code list */
export const LEGAL_NOTES: Readonly<Record<LegalNoteKey, LegalNote>> = {
  reverse_charge: {
    de: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    en: 'Reverse charge: VAT is to be accounted for by the recipient of the service (Art. 196 Directive 2006/112/EC).',
    exemptionCode: 'VATEX-EU-AE',
  },
  intra_community_supply: {
    de: 'Steuerfreie innergemeinschaftliche Lieferung (§ 4 Nr. 1 Buchst. b, § 6a UStG).',
    en: 'VAT-exempt intra-Community supply (Art. 138 Directive 2006/112/EC).',
    exemptionCode: 'VATEX-EU-IC',
  },
  export_of_goods: {
    de: 'Steuerfreie Ausfuhrlieferung (§ 4 Nr. 1 Buchst. a, § 6 UStG).',
    en: 'VAT-exempt export of goods (Art. 146 Directive 2006/112/EC).',
    exemptionCode: 'VATEX-EU-G',
  },
  outside_scope: {
    de: 'Nicht im Inland steuerbare Leistung (§ 3a UStG).',
    en: 'Service not subject to VAT in the country of the seller (Art. 44, 59 Directive 2006/112/EC).',
    exemptionCode: 'VATEX-EU-O',
  },
  small_business: {
    de: 'Steuerfrei nach § 19 UStG (Kleinunternehmerregelung).',
    en: 'VAT-exempt under the small business scheme (§ 19 UStG, German VAT Act).',
    exemptionCode: null,
  },
  exempt: {
    de: 'Steuerfreie Leistung (§ 4 UStG).',
    en: 'VAT-exempt supply (§ 4 UStG, German VAT Act).',
    exemptionCode: null,
  },
};

/** The text of a note in the document's language; English for every language but German. */
export const legalNoteText = (key: LegalNoteKey, language: string): string =>
  LEGAL_NOTES[key][language === 'de' ? 'de' : 'en'];
