import type {
  Address,
  Allowance,
  Attachment,
  DocumentAllowance,
  EInvoice,
  Line,
  Party,
  PaymentInstructions,
  Period,
  TaxRow,
} from './e-invoice.js';
import { tree, type XmlTree, xmlOf } from './xml-tree.js';

const NAMESPACES = {
  '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  '@xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

/** An e-invoice as UN/CEFACT Cross Industry Invoice. @see EN 16931-3-3 */
export function writeCii(invoice: EInvoice): string {
  return xmlOf({
    'rsm:CrossIndustryInvoice': {
      ...NAMESPACES,
      'rsm:ExchangedDocumentContext': present({
        'ram:BusinessProcessSpecifiedDocumentContextParameter': invoice.process && { 'ram:ID': invoice.process },
        'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': invoice.specification },
      }),
      'rsm:ExchangedDocument': present({
        'ram:ID': invoice.number,
        'ram:TypeCode': invoice.typeCode,
        'ram:IssueDateTime': dateTime(invoice.issueDate),
        'ram:IncludedNote': invoice.notes.map((note) => ({ 'ram:Content': note })),
      }),
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': invoice.lines.map(line),
        'ram:ApplicableHeaderTradeAgreement': agreement(invoice),
        'ram:ApplicableHeaderTradeDelivery': delivery(invoice),
        'ram:ApplicableHeaderTradeSettlement': settlement(invoice),
      },
    },
  });
}

const present = (parts: Parameters<typeof tree>[0]): XmlTree => tree(parts) ?? {};

/** Days without their separators, format 102. */
const dateTime = (day: string): XmlTree => ({
  'udt:DateTimeString': { '@format': '102', '#': day.replaceAll('-', '') },
});
const idOf = (id: string | null): XmlTree | null => (id === null ? null : { 'ram:IssuerAssignedID': id });
const measured = (quantity: string, unit: string): XmlTree => ({ '@unitCode': unit, '#': quantity });

function line(item: Line): XmlTree {
  const price = present({
    'ram:ChargeAmount': item.price,
    'ram:BasisQuantity': item.baseQuantity === null ? null : measured(item.baseQuantity, item.unit),
  });
  return {
    'ram:AssociatedDocumentLineDocument': present({
      'ram:LineID': item.id,
      'ram:IncludedNote': item.note === null ? null : { 'ram:Content': item.note },
    }),
    'ram:SpecifiedTradeProduct': present({ 'ram:Name': item.name, 'ram:Description': item.description }),
    'ram:SpecifiedLineTradeAgreement': present({
      'ram:BuyerOrderReferencedDocument': item.orderLine === null ? null : { 'ram:LineID': item.orderLine },
      'ram:NetPriceProductTradePrice': price,
    }),
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': measured(item.quantity, item.unit) },
    'ram:SpecifiedLineTradeSettlement': present({
      'ram:ApplicableTradeTax': vat(item.category, item.rate),
      'ram:BillingSpecifiedPeriod': period(item.period),
      'ram:SpecifiedTradeAllowanceCharge': item.allowances.map((part) => allowance(part)),
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': item.net },
    }),
  };
}

const vat = (category: string, rate: string | null): XmlTree =>
  present({ 'ram:TypeCode': 'VAT', 'ram:CategoryCode': category, 'ram:RateApplicablePercent': rate });

const period = (days: Period | null): XmlTree | undefined =>
  tree({
    'ram:StartDateTime': days?.from ? dateTime(days.from) : null,
    'ram:EndDateTime': days?.to ? dateTime(days.to) : null,
  });

const allowance = (part: Allowance, tax?: XmlTree): XmlTree =>
  present({
    'ram:ChargeIndicator': { 'udt:Indicator': String(part.charge) },
    'ram:CalculationPercent': part.percentage,
    'ram:BasisAmount': part.baseAmount,
    'ram:ActualAmount': part.amount,
    'ram:ReasonCode': part.reasonCode,
    'ram:Reason': part.reason,
    'ram:CategoryTradeTax': tax,
  });

const agreement = (invoice: EInvoice): XmlTree =>
  present({
    'ram:BuyerReference': invoice.buyerReference,
    'ram:SellerTradeParty': party(invoice.seller),
    'ram:BuyerTradeParty': party(invoice.buyer),
    'ram:BuyerOrderReferencedDocument': idOf(invoice.order),
    'ram:ContractReferencedDocument': idOf(invoice.contract),
    'ram:AdditionalReferencedDocument': invoice.attachments.map(attachment),
  });

/** TypeCode 916: a document that comes along. */
const attachment = (file: Attachment): XmlTree =>
  present({
    'ram:IssuerAssignedID': file.id,
    'ram:TypeCode': '916',
    'ram:Name': file.description,
    'ram:AttachmentBinaryObject': { '@mimeCode': file.mimeType, '@filename': file.fileName, '#': file.base64 },
  });

const party = (who: Party): XmlTree =>
  present({
    'ram:ID': who.id,
    'ram:Name': who.name,
    'ram:Description': who.legalText,
    'ram:SpecifiedLegalOrganization': who.legalId === null ? null : { 'ram:ID': who.legalId },
    'ram:DefinedTradeContact': tree({
      'ram:PersonName': who.contact?.name,
      'ram:TelephoneUniversalCommunication': who.contact?.phone && { 'ram:CompleteNumber': who.contact.phone },
      'ram:EmailURIUniversalCommunication': who.contact?.email && { 'ram:URIID': who.contact.email },
    }),
    'ram:PostalTradeAddress': address(who.address),
    'ram:URIUniversalCommunication': who.endpoint && {
      'ram:URIID': { '@schemeID': who.endpoint.scheme, '#': who.endpoint.id },
    },
    'ram:SpecifiedTaxRegistration': [...registrations('VA', who.vatId), ...registrations('FC', who.taxNumber)],
  });

const registrations = (scheme: string, id: string | null): XmlTree[] =>
  id === null ? [] : [{ 'ram:ID': { '@schemeID': scheme, '#': id } }];

const address = (place: Address): XmlTree =>
  present({
    'ram:PostcodeCode': place.zip,
    'ram:LineOne': place.line1,
    'ram:LineTwo': place.line2,
    'ram:CityName': place.city,
    'ram:CountryID': place.country,
  });

/** An element that has to be there, also without content. */
const delivery = ({ delivery: supply }: EInvoice): XmlTree =>
  present({
    'ram:ShipToTradeParty': tree({
      'ram:Name': supply?.name,
      'ram:PostalTradeAddress': supply?.address && address(supply.address),
    }),
    'ram:ActualDeliverySupplyChainEvent': supply?.date && { 'ram:OccurrenceDateTime': dateTime(supply.date) },
  });

function settlement(invoice: EInvoice): XmlTree {
  const { payment, totals, currency, taxCurrency } = invoice;
  const taxes = [
    ...(totals.tax === null ? [] : [{ '@currencyID': currency, '#': totals.tax }]),
    ...(totals.taxInTaxCurrency === null || taxCurrency === null
      ? []
      : [{ '@currencyID': taxCurrency, '#': totals.taxInTaxCurrency }]),
  ];
  return present({
    'ram:CreditorReferenceID': payment?.debit?.creditorId,
    'ram:PaymentReference': payment?.remittance,
    'ram:TaxCurrencyCode': taxCurrency,
    'ram:InvoiceCurrencyCode': currency,
    'ram:SpecifiedTradeSettlementPaymentMeans': payment && means(payment),
    'ram:ApplicableTradeTax': invoice.taxes.map(taxRow),
    'ram:BillingSpecifiedPeriod': period(invoice.period),
    'ram:SpecifiedTradeAllowanceCharge': invoice.allowances.map((part: DocumentAllowance) =>
      allowance(part, vat(part.category, part.rate)),
    ),
    'ram:SpecifiedTradePaymentTerms': tree({
      'ram:Description': invoice.paymentTerms,
      'ram:DueDateDateTime': invoice.dueDate && dateTime(invoice.dueDate),
      'ram:DirectDebitMandateID': payment?.debit?.mandate,
    }),
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation': present({
      'ram:LineTotalAmount': totals.lines,
      'ram:ChargeTotalAmount': totals.charges,
      'ram:AllowanceTotalAmount': totals.allowances,
      'ram:TaxBasisTotalAmount': totals.net,
      'ram:TaxTotalAmount': taxes,
      'ram:RoundingAmount': totals.rounding,
      'ram:GrandTotalAmount': totals.gross,
      'ram:TotalPrepaidAmount': totals.prepaid,
      'ram:DuePayableAmount': totals.payable,
    }),
    'ram:InvoiceReferencedDocument': invoice.preceding.map(({ number, issueDate }) =>
      present({
        'ram:IssuerAssignedID': number,
        'ram:FormattedIssueDateTime': issueDate && {
          'qdt:DateTimeString': { '@format': '102', '#': issueDate.replaceAll('-', '') },
        },
      }),
    ),
    'ram:ReceivableSpecifiedTradeAccountingAccount': invoice.buyerAccount && { 'ram:ID': invoice.buyerAccount },
  });
}

const means = ({ code, text, account, card, debit }: PaymentInstructions): XmlTree =>
  present({
    'ram:TypeCode': code,
    'ram:Information': text,
    'ram:ApplicableTradeSettlementFinancialCard':
      card && present({ 'ram:ID': card.number, 'ram:CardholderName': card.holder }),
    'ram:PayerPartyDebtorFinancialAccount': debit?.account ? { 'ram:IBANID': debit.account } : null,
    'ram:PayeePartyCreditorFinancialAccount':
      account && present({ 'ram:IBANID': account.iban, 'ram:AccountName': account.name }),
    'ram:PayeeSpecifiedCreditorFinancialInstitution': account?.bic ? { 'ram:BICID': account.bic } : null,
  });

const taxRow = (row: TaxRow): XmlTree =>
  present({
    'ram:CalculatedAmount': row.tax,
    'ram:TypeCode': 'VAT',
    'ram:ExemptionReason': row.reason,
    'ram:BasisAmount': row.base,
    'ram:CategoryCode': row.category,
    'ram:ExemptionReasonCode': row.reasonCode,
    'ram:RateApplicablePercent': row.rate,
  });
