import type { TaxCategory } from '@kontor/tax';
import type { Address, Allowance, Delivery, EInvoice, Line, Party, PaymentInstructions, Period } from '../e-invoice.js';
import type { XmlNode } from './xml-node.js';

/** An e-invoice from UBL 2.1, an invoice or a credit note. What it lacks is null or empty. @see write-ubl.ts */
export function readUbl(root: XmlNode, credit: boolean): EInvoice {
  const currency = root.at('DocumentCurrencyCode').text ?? '';
  const total = root.at('LegalMonetaryTotal');
  const taxTotals = root.all('TaxTotal');
  const amountIn = (invoiced: boolean) =>
    taxTotals.find((node) => ((node.at('TaxAmount').attribute('currencyID') ?? currency) === currency) === invoiced);
  const supplier = root.at('AccountingSupplierParty', 'Party');
  return {
    specification: root.at('CustomizationID').text ?? '',
    process: root.at('ProfileID').text,
    number: root.at('ID').text ?? '',
    issueDate: root.at('IssueDate').text ?? '',
    typeCode: root.at(credit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode').text ?? '',
    currency,
    taxCurrency: root.at('TaxCurrencyCode').text,
    dueDate: root.at('DueDate').text ?? root.at('PaymentMeans', 'PaymentDueDate').text,
    buyerReference: root.at('BuyerReference').text,
    contract: root.at('ContractDocumentReference', 'ID').text,
    order: root.at('OrderReference', 'ID').text,
    buyerAccount: root.at('AccountingCost').text,
    paymentTerms: root.at('PaymentTerms', 'Note').text,
    notes: root.all('Note').flatMap((node) => node.text ?? []),
    preceding: root.all('BillingReference').map((node) => ({
      number: node.at('InvoiceDocumentReference', 'ID').text ?? '',
      issueDate: node.at('InvoiceDocumentReference', 'IssueDate').text,
    })),
    seller: partyOf(supplier),
    buyer: partyOf(root.at('AccountingCustomerParty', 'Party')),
    delivery: deliveryOf(root.at('Delivery')),
    period: periodOf(root.at('InvoicePeriod')),
    payment: paymentOf(root.at('PaymentMeans'), supplier),
    allowances: root.all('AllowanceCharge').map((node) => ({
      ...allowanceOf(node),
      category: categoryOf(node.at('TaxCategory', 'ID')),
      rate: node.at('TaxCategory', 'Percent').text ?? '',
    })),
    totals: {
      lines: total.at('LineExtensionAmount').text ?? '',
      allowances: total.at('AllowanceTotalAmount').text,
      charges: total.at('ChargeTotalAmount').text,
      net: total.at('TaxExclusiveAmount').text ?? '',
      tax: amountIn(true)?.at('TaxAmount').text ?? null,
      taxInTaxCurrency: amountIn(false)?.at('TaxAmount').text ?? null,
      gross: total.at('TaxInclusiveAmount').text ?? '',
      prepaid: total.at('PrepaidAmount').text,
      rounding: total.at('PayableRoundingAmount').text,
      payable: total.at('PayableAmount').text ?? '',
    },
    taxes: (amountIn(true)?.all('TaxSubtotal') ?? []).map((node) => ({
      base: node.at('TaxableAmount').text ?? '',
      tax: node.at('TaxAmount').text ?? '',
      category: categoryOf(node.at('TaxCategory', 'ID')),
      rate: node.at('TaxCategory', 'Percent').text,
      reason: node.at('TaxCategory', 'TaxExemptionReason').text,
      reasonCode: node.at('TaxCategory', 'TaxExemptionReasonCode').text,
    })),
    attachments: root.all('AdditionalDocumentReference').flatMap((node) => {
      const file = node.at('Attachment', 'EmbeddedDocumentBinaryObject');
      if (!file.exists) return [];
      return [
        {
          id: node.at('ID').text ?? '',
          description: node.at('DocumentDescription').text,
          fileName: file.attribute('filename') ?? '',
          mimeType: file.attribute('mimeCode') ?? '',
          base64: file.text ?? '',
        },
      ];
    }),
    lines: root.all(credit ? 'CreditNoteLine' : 'InvoiceLine').map((node) => lineOf(node, credit)),
  };
}

const categoryOf = (node: XmlNode): TaxCategory => (node.text ?? '') as TaxCategory;

const periodOf = (node: XmlNode): Period | null =>
  node.exists ? { from: node.at('StartDate').text, to: node.at('EndDate').text } : null;

const addressOf = (node: XmlNode): Address => ({
  line1: node.at('StreetName').text,
  line2: node.at('AdditionalStreetName').text,
  zip: node.at('PostalZone').text,
  city: node.at('CityName').text,
  country: node.at('Country', 'IdentificationCode').text ?? '',
});

function partyOf(node: XmlNode): Party {
  const schemes = node.all('PartyTaxScheme');
  const isVat = (scheme: XmlNode): boolean => scheme.at('TaxScheme', 'ID').text === 'VAT';
  const endpoint = node.at('EndpointID');
  const contact = node.at('Contact');
  const id = node
    .all('PartyIdentification')
    .map((found) => found.at('ID'))
    .find((found) => found.attribute('schemeID') !== 'SEPA');
  return {
    name: node.at('PartyLegalEntity', 'RegistrationName').text ?? node.at('PartyName', 'Name').text ?? '',
    id: id?.text ?? null,
    legalId: node.at('PartyLegalEntity', 'CompanyID').text,
    vatId: schemes.find(isVat)?.at('CompanyID').text ?? null,
    taxNumber: schemes.find((scheme) => !isVat(scheme))?.at('CompanyID').text ?? null,
    legalText: node.at('PartyLegalEntity', 'CompanyLegalForm').text,
    endpoint: endpoint.text === null ? null : { id: endpoint.text, scheme: endpoint.attribute('schemeID') ?? '' },
    address: addressOf(node.at('PostalAddress')),
    contact: contact.exists
      ? { name: contact.at('Name').text, phone: contact.at('Telephone').text, email: contact.at('ElectronicMail').text }
      : null,
  };
}

function deliveryOf(node: XmlNode): Delivery | null {
  if (!node.exists) return null;
  const address = node.at('DeliveryLocation', 'Address');
  return {
    date: node.at('ActualDeliveryDate').text,
    name: node.at('DeliveryParty', 'PartyName', 'Name').text,
    address: address.exists ? addressOf(address) : null,
  };
}

function paymentOf(means: XmlNode, supplier: XmlNode): PaymentInstructions | null {
  if (!means.exists) return null;
  const account = means.at('PayeeFinancialAccount');
  const card = means.at('CardAccount');
  const mandate = means.at('PaymentMandate');
  const creditor = supplier
    .all('PartyIdentification')
    .map((node) => node.at('ID'))
    .find((id) => id.attribute('schemeID') === 'SEPA');
  return {
    code: means.at('PaymentMeansCode').text ?? '',
    text: means.at('PaymentMeansCode').attribute('name'),
    remittance: means.at('PaymentID').text,
    account: account.exists
      ? {
          iban: account.at('ID').text ?? '',
          name: account.at('Name').text,
          bic: account.at('FinancialInstitutionBranch', 'ID').text,
        }
      : null,
    card: card.exists
      ? { number: card.at('PrimaryAccountNumberID').text ?? '', holder: card.at('HolderName').text }
      : null,
    debit: mandate.exists
      ? {
          mandate: mandate.at('ID').text,
          creditorId: creditor?.text ?? null,
          account: mandate.at('PayerFinancialAccount', 'ID').text,
        }
      : null,
  };
}

const allowanceOf = (node: XmlNode): Allowance => ({
  charge: node.at('ChargeIndicator').text === 'true',
  amount: node.at('Amount').text ?? '',
  baseAmount: node.at('BaseAmount').text,
  percentage: node.at('MultiplierFactorNumeric').text,
  reason: node.at('AllowanceChargeReason').text,
  reasonCode: node.at('AllowanceChargeReasonCode').text,
});

function lineOf(node: XmlNode, credit: boolean): Line {
  const quantity = node.at(credit ? 'CreditedQuantity' : 'InvoicedQuantity');
  const tax = node.at('Item', 'ClassifiedTaxCategory');
  return {
    id: node.at('ID').text ?? '',
    note: node.at('Note').text,
    quantity: quantity.text ?? '',
    unit: quantity.attribute('unitCode') ?? '',
    net: node.at('LineExtensionAmount').text ?? '',
    orderLine: node.at('OrderLineReference', 'LineID').text,
    period: periodOf(node.at('InvoicePeriod')),
    allowances: node.all('AllowanceCharge').map(allowanceOf),
    price: node.at('Price', 'PriceAmount').text ?? '',
    baseQuantity: node.at('Price', 'BaseQuantity').text,
    category: categoryOf(tax.at('ID')),
    rate: tax.at('Percent').text,
    name: node.at('Item', 'Name').text ?? '',
    description: node.at('Item', 'Description').text,
  };
}
