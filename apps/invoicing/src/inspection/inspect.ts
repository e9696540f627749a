import type { EInvoice } from '../domain/e-invoice/e-invoice.js';
import { checkRules } from '../domain/e-invoice/rules/check-rules.js';
import type { Finding } from '../domain/e-invoice/rules/finding.js';
import { readCii } from '../domain/e-invoice/reading/read-cii.js';
import { readUbl } from '../domain/e-invoice/reading/read-ubl.js';
import { NoEInvoice, parseXml } from '../domain/e-invoice/reading/xml-node.js';
import { xmlInPdf } from '../pdf/xml-in-pdf.js';

export interface Inspection {
  readonly syntax: 'cii' | 'ubl' | null;
  readonly profile: string | null;
  /** The edition of the rules that was applied; null when nothing could be checked. */
  readonly rules: string | null;
  readonly findings: readonly Finding[];
  readonly invoice: EInvoice | null;
}

/** Profiles of Factur-X that say too little for an invoice. */
const TOO_LITTLE: readonly string[] = ['MINIMUM', 'BASIC WL'];

/**
 * What somebody's file is: an e-invoice as XML or inside a PDF, or none.
 * @throws UnreadableFile for what is hostile or broken
 */
export async function inspect(bytes: Uint8Array): Promise<Inspection> {
  try {
    const isPdf = Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
    return inspectXml(isPdf ? await xmlInPdf(bytes) : bytes);
  } catch (error) {
    if (error instanceof NoEInvoice) return none('FORMAT', error.message);
    throw error;
  }
}

const none = (ruleId: string, en: string, de = `Keine E-Rechnung: ${en}`): Inspection => ({
  syntax: null,
  profile: null,
  rules: null,
  findings: [{ ruleId, severity: 'fatal', location: '/', field: 'file', de, en }],
  invoice: null,
});

function inspectXml(xml: Uint8Array): Inspection {
  const document = parseXml(xml);
  const read = readers.flatMap(({ root, syntax, of }) => {
    const node = document.at(root);
    return node.exists ? [{ syntax, invoice: of(node) }] : [];
  })[0];
  if (!read)
    return none('FORMAT', 'The XML is neither CII nor UBL.', 'Keine E-Rechnung: Das XML ist weder CII noch UBL.');
  const profile = profileOf(read.invoice.specification);
  if (TOO_LITTLE.includes(profile)) {
    const en = `The profile ${profile} is no complete invoice.`;
    const de = `Das Profil ${profile} ist keine vollständige Rechnung.`;
    const finding = { ruleId: 'PROFILE', severity: 'fatal', location: 'BT-24', field: 'eInvoiceType', de, en } as const;
    return { ...read, profile, rules: null, findings: [finding] };
  }
  const { pack, findings } = checkRules(read.invoice);
  return { ...read, profile, rules: pack, findings };
}

const readers = [
  { root: 'CrossIndustryInvoice', syntax: 'cii' as const, of: readCii },
  { root: 'Invoice', syntax: 'ubl' as const, of: (node: Parameters<typeof readUbl>[0]) => readUbl(node, false) },
  { root: 'CreditNote', syntax: 'ubl' as const, of: (node: Parameters<typeof readUbl>[0]) => readUbl(node, true) },
];

const PROFILES: readonly (readonly [RegExp, string])[] = [
  [/xrechnung_(\d+(?:\.\d+)*)/, 'XRECHNUNG'],
  [/peppol\.eu.*billing:3/, 'PEPPOL BIS 3'],
  [/:minimum$/, 'MINIMUM'],
  [/:basicwl$/, 'BASIC WL'],
  [/:basic$/, 'BASIC'],
  [/:extended$/, 'EXTENDED'],
  [/^urn:cen\.eu:en16931:2017$/, 'EN 16931'],
];

/** The usual name of a specification; the specification itself when it has none. */
const profileOf = (specification: string): string =>
  PROFILES.find(([pattern]) => pattern.test(specification))?.[1] ?? specification;
