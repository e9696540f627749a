import type { Address, Allowance, Attachment, DocumentAllowance, EInvoice, Line, Party, TaxRow } from './e-invoice.js';
import { tree, type XmlTree, xmlOf } from './xml-tree.js';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const present = (parts: Parameters<typeof tree>[0]): XmlTree => tree(parts) ?? {};
const idOf = (id: string | null): XmlTree | null => (id === null ? null : { 'cbc:ID': id });

/** An e-invoice as UBL 2.1; code 381 is a credit note, everything else an invoice. @see EN 16931-3-2 */
export function writeUbl(invoice: EInvoice): string {
  const credit = invoice.typeCode === '381';
  const name = credit ? 'CreditNote' : 'Invoice';
  const amount = (text: string): XmlTree => ({ '@currencyID': invoice.currency, '#': text });
  return xmlOf({
    [name]: present({
      '@xmlns': `${UBL}${name}-2`,
      '@xmlns:cac': `${UBL}CommonAggregateComponents-2`,
      '@xmlns:cbc': `${UBL}CommonBasicComponents-2`,
      'cbc:CustomizationID': invoice.specification,
      'cbc:ProfileID': invoice.process,
      'cbc:ID': invoice.number,
      'cbc:IssueDate': invoice.issueDate,
      ...(credit ? {} : { 'cbc:DueDate': invoice.dueDate }),
      [`cbc:${credit ? 'CreditNote' : 'Invoice'}TypeCode`]: invoice.typeCode,
      'cbc:Note': invoice.notes,
      'cbc:DocumentCurrencyCode': invoice.currency,
      'cbc:TaxCurrencyCode': invoice.taxCurrency,
      'cbc:AccountingCost': invoice.buyerAccount,
      'cbc:BuyerReference': invoice.buyerReference,
      'cac:InvoicePeriod': tree({ 'cbc:StartDate': invoice.period?.from, 'cbc:EndDate': invoice.period?.to }),
      'cac:OrderReference': idOf(invoice.order),
      'cac:BillingReference': invoice.preceding.map(({ number, issueDate }) => ({
        'cac:InvoiceDocumentReference': present({ 'cbc:ID': number, 'cbc:IssueDate': issueDate }),
      })),
      'cac:ContractDocumentReference': idOf(invoice.contract),
      'cac:AdditionalDocumentReference': invoice.attachments.map(attachment),
      'cac:AccountingSupplierParty': {
        'cac:Party': party(invoice.seller, sellerIds(invoice)),
      },
      'cac:AccountingCustomerParty': { 'cac:Party': party(invoice.buyer, ids(invoice.buyer.id)) },
      'cac:Delivery': delivery(invoice),
      'cac:PaymentMeans': means(invoice),
      'cac:PaymentTerms': invoice.paymentTerms === null ? null : { 'cbc:Note': invoice.paymentTerms },
      'cac:AllowanceCharge': invoice.allowances.map((part: DocumentAllowance) =>
        allowance(part, amount, vat('cac:TaxCategory', part.category, part.rate)),
      ),
      'cac:TaxTotal': taxTotals(invoice, amount),
      'cac:LegalMonetaryTotal': totals(invoice, amount),
      [`cac:${credit ? 'CreditNote' : 'Invoice'}Line`]: invoice.lines.map((item) => line(item, amount, credit)),
    }),
  });
}

type AmountOf = (text: string) => XmlTree;

const ids = (id: string | null): XmlTree[] => (id === null ? [] : [{ 'cbc:ID': id }]);

/** BT-29, and BT-90 where the document is paid by direct debit. */
const sellerIds = ({ seller, payment }: EInvoice): XmlTree[] => [
  ...ids(seller.id),
  ...(payment?.debit?.creditorId ? [{ 'cbc:ID': { '@schemeID': 'SEPA', '#': payment.debit.creditorId } }] : []),
];

const attachment = (file: Attachment): XmlTree =>
  present({
    'cbc:ID': file.id,
    'cbc:DocumentDescription': file.description,
    'cac:Attachment': {
      'cbc:EmbeddedDocumentBinaryObject': {
        '@mimeCode': file.mimeType,
        '@filename': file.fileName,
        '#': file.base64,
      },
    },
  });

const party = (who: Party, identifications: XmlTree[]): XmlTree =>
  present({
    'cbc:EndpointID': who.endpoint && { '@schemeID': who.endpoint.scheme, '#': who.endpoint.id },
    'cac:PartyIdentification': identifications,
    'cac:PostalAddress': address(who.address),
    'cac:PartyTaxScheme': [
      ...(who.vatId === null ? [] : [taxScheme(who.vatId, 'VAT')]),
      ...(who.taxNumber === null ? [] : [taxScheme(who.taxNumber, 'FC')]),
    ],
    'cac:PartyLegalEntity': present({
      'cbc:RegistrationName': who.name,
      'cbc:CompanyID': who.legalId,
      'cbc:CompanyLegalForm': who.legalText,
    }),
    'cac:Contact': tree({
      'cbc:Name': who.contact?.name,
      'cbc:Telephone': who.contact?.phone,
      'cbc:ElectronicMail': who.contact?.email,
    }),
  });

const taxScheme = (id: string, scheme: string): XmlTree => ({
  'cbc:CompanyID': id,
  'cac:TaxScheme': { 'cbc:ID': scheme },
});

const address = (place: Address): XmlTree =>
  present({
    'cbc:StreetName': place.line1,
    'cbc:AdditionalStreetName': place.line2,
    'cbc:CityName': place.city,
    'cbc:PostalZone': place.zip,
    'cac:Country': { 'cbc:IdentificationCode': place.country },
  });

const delivery = ({ delivery: supply }: EInvoice): XmlTree | undefined =>
  tree({
    'cbc:ActualDeliveryDate': supply?.date,
    'cac:DeliveryLocation': supply?.address && { 'cac:Address': address(supply.address) },
    'cac:DeliveryParty': supply?.name && { 'cac:PartyName': { 'cbc:Name': supply.name } },
  });

function means({ payment, typeCode, dueDate }: EInvoice): XmlTree | null {
  if (!payment) return null;
  const { code, text, remittance, account, card, debit } = payment;
  return present({
    'cbc:PaymentMeansCode': text === null ? code : { '@name': text, '#': code },
    'cbc:PaymentDueDate': typeCode === '381' ? dueDate : null,
    'cbc:PaymentID': remittance,
    'cac:CardAccount':
      card &&
      present({ 'cbc:PrimaryAccountNumberID': card.number, 'cbc:NetworkID': 'NA', 'cbc:HolderName': card.holder }),
    'cac:PayeeFinancialAccount':
      account &&
      present({
        'cbc:ID': account.iban,
        'cbc:Name': account.name,
        'cac:FinancialInstitutionBranch': account.bic === null ? null : { 'cbc:ID': account.bic },
      }),
    'cac:PaymentMandate':
      debit &&
      tree({
        'cbc:ID': debit.mandate,
        'cac:PayerFinancialAccount': debit.account === null ? null : { 'cbc:ID': debit.account },
      }),
  });
}

const vat = (
  element: string,
  category: string,
  rate: string | null,
  more: Parameters<typeof tree>[0] = {},
): XmlTree => ({
  [element]: present({
    'cbc:ID': category,
    'cbc:Percent': rate,
    ...more,
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  }),
});

const allowance = (part: Allowance, amount: AmountOf, tax: XmlTree = {}): XmlTree =>
  present({
    'cbc:ChargeIndicator': String(part.charge),
    'cbc:AllowanceChargeReasonCode': part.reasonCode,
    'cbc:AllowanceChargeReason': part.reason,
    'cbc:MultiplierFactorNumeric': part.percentage,
    'cbc:Amount': amount(part.amount),
    'cbc:BaseAmount': part.baseAmount === null ? null : amount(part.baseAmount),
    ...tax,
  });

function taxTotals(invoice: EInvoice, amount: AmountOf): XmlTree[] {
  const { totals: sums, taxCurrency } = invoice;
  const inCurrency = present({
    'cbc:TaxAmount': amount(sums.tax ?? '0'),
    'cac:TaxSubtotal': invoice.taxes.map((row: TaxRow) => ({
      'cbc:TaxableAmount': amount(row.base),
      'cbc:TaxAmount': amount(row.tax),
      ...vat('cac:TaxCategory', row.category, row.rate, {
        'cbc:TaxExemptionReasonCode': row.reasonCode,
        'cbc:TaxExemptionReason': row.reason,
      }),
    })),
  });
  return sums.taxInTaxCurrency === null || taxCurrency === null
    ? [inCurrency]
    : [inCurrency, { 'cbc:TaxAmount': { '@currencyID': taxCurrency, '#': sums.taxInTaxCurrency } }];
}

function totals({ totals: sums }: EInvoice, amount: AmountOf): XmlTree {
  const given = (text: string | null): XmlTree | null => (text === null ? null : amount(text));
  return present({
    'cbc:LineExtensionAmount': amount(sums.lines),
    'cbc:TaxExclusiveAmount': amount(sums.net),
    'cbc:TaxInclusiveAmount': amount(sums.gross),
    'cbc:AllowanceTotalAmount': given(sums.allowances),
    'cbc:ChargeTotalAmount': given(sums.charges),
    'cbc:PrepaidAmount': given(sums.prepaid),
    'cbc:PayableRoundingAmount': given(sums.rounding),
    'cbc:PayableAmount': amount(sums.payable),
  });
}

const line = (item: Line, amount: AmountOf, credit: boolean): XmlTree =>
  present({
    'cbc:ID': item.id,
    'cbc:Note': item.note,
    [`cbc:${credit ? 'Credited' : 'Invoiced'}Quantity`]: { '@unitCode': item.unit, '#': item.quantity },
    'cbc:LineExtensionAmount': amount(item.net),
    'cac:InvoicePeriod': tree({ 'cbc:StartDate': item.period?.from, 'cbc:EndDate': item.period?.to }),
    'cac:OrderLineReference': item.orderLine === null ? null : { 'cbc:LineID': item.orderLine },
    'cac:AllowanceCharge': item.allowances.map((part) => allowance(part, amount)),
    'cac:Item': present({
      'cbc:Description': item.description,
      'cbc:Name': item.name,
      ...vat('cac:ClassifiedTaxCategory', item.category, item.rate),
    }),
    'cac:Price': present({
      'cbc:PriceAmount': amount(item.price),
      'cbc:BaseQuantity': item.baseQuantity === null ? null : { '@unitCode': item.unit, '#': item.baseQuantity },
    }),
  });
