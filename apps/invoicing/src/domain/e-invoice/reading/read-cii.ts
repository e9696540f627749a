import type { TaxCategory } from '@kontor/tax';
import type { Address, Allowance, Delivery, EInvoice, Line, Party, PaymentInstructions, Period } from '../e-invoice.js';
import type { XmlNode } from './xml-node.js';

/** An e-invoice from UN/CEFACT CII. What it lacks is null or empty. @see write-cii.ts */
export function readCii(root: XmlNode): EInvoice {
  const document = root.at('ExchangedDocument');
  const trade = root.at('SupplyChainTradeTransaction');
  const agreement = trade.at('ApplicableHeaderTradeAgreement');
  const settlement = trade.at('ApplicableHeaderTradeSettlement');
  const context = root.at('ExchangedDocumentContext');
  const currency = settlement.at('InvoiceCurrencyCode').text ?? '';
  const terms = settlement.at('SpecifiedTradePaymentTerms');
  const sums = settlement.at('SpecifiedTradeSettlementHeaderMonetarySummation');
  const taxIn = (invoiced: boolean): string | null =>
    sums.all('TaxTotalAmount').find((node) => ((node.attribute('currencyID') ?? currency) === currency) === invoiced)
      ?.text ?? null;
  return {
    specification: context.at('GuidelineSpecifiedDocumentContextParameter', 'ID').text ?? '',
    process: context.at('BusinessProcessSpecifiedDocumentContextParameter', 'ID').text,
    number: document.at('ID').text ?? '',
    issueDate: dayOf(document.at('IssueDateTime')) ?? '',
    typeCode: document.at('TypeCode').text ?? '',
    currency,
    taxCurrency: settlement.at('TaxCurrencyCode').text,
    dueDate: dayOf(terms.at('DueDateDateTime')),
    buyerReference: agreement.at('BuyerReference').text,
    contract: agreement.at('ContractReferencedDocument', 'IssuerAssignedID').text,
    order: agreement.at('BuyerOrderReferencedDocument', 'IssuerAssignedID').text,
    buyerAccount: settlement.at('ReceivableSpecifiedTradeAccountingAccount', 'ID').text,
    paymentTerms: terms.at('Description').text,
    notes: document.all('IncludedNote').flatMap((note) => note.at('Content').text ?? []),
    preceding: settlement.all('InvoiceReferencedDocument').map((node) => ({
      number: node.at('IssuerAssignedID').text ?? '',
      issueDate: dayOf(node.at('FormattedIssueDateTime')),
    })),
    seller: partyOf(agreement.at('SellerTradeParty')),
    buyer: partyOf(agreement.at('BuyerTradeParty')),
    delivery: deliveryOf(trade.at('ApplicableHeaderTradeDelivery')),
    period: periodOf(settlement.at('BillingSpecifiedPeriod')),
    payment: paymentOf(settlement),
    allowances: settlement.all('SpecifiedTradeAllowanceCharge').map((node) => ({
      ...allowanceOf(node),
      category: categoryOf(node.at('CategoryTradeTax', 'CategoryCode')),
      rate: node.at('CategoryTradeTax', 'RateApplicablePercent').text ?? '',
    })),
    totals: {
      lines: sums.at('LineTotalAmount').text ?? '',
      allowances: sums.at('AllowanceTotalAmount').text,
      charges: sums.at('ChargeTotalAmount').text,
      net: sums.at('TaxBasisTotalAmount').text ?? '',
      tax: taxIn(true),
      taxInTaxCurrency: taxIn(false),
      gross: sums.at('GrandTotalAmount').text ?? '',
      prepaid: sums.at('TotalPrepaidAmount').text,
      rounding: sums.at('RoundingAmount').text,
      payable: sums.at('DuePayableAmount').text ?? '',
    },
    taxes: settlement.all('ApplicableTradeTax').map((node) => ({
      base: node.at('BasisAmount').text ?? '',
      tax: node.at('CalculatedAmount').text ?? '',
      category: categoryOf(node.at('CategoryCode')),
      rate: node.at('RateApplicablePercent').text,
      reason: node.at('ExemptionReason').text,
      reasonCode: node.at('ExemptionReasonCode').text,
    })),
    attachments: agreement.all('AdditionalReferencedDocument').flatMap((node) => {
      const file = node.at('AttachmentBinaryObject');
      if (!file.exists) return [];
      return [
        {
          id: node.at('IssuerAssignedID').text ?? '',
          description: node.at('Name').text,
          fileName: file.attribute('filename') ?? '',
          mimeType: file.attribute('mimeCode') ?? '',
          base64: file.text ?? '',
        },
      ];
    }),
    lines: trade.all('IncludedSupplyChainTradeLineItem').map(lineOf),
  };
}

const categoryOf = (node: XmlNode): TaxCategory => (node.text ?? '') as TaxCategory;

/** Of format 102: eight digits. */
function dayOf(node: XmlNode): string | null {
  const text = node.at('DateTimeString').text;
  return text && /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : text;
}

function periodOf(node: XmlNode): Period | null {
  return node.exists ? { from: dayOf(node.at('StartDateTime')), to: dayOf(node.at('EndDateTime')) } : null;
}

const addressOf = (node: XmlNode): Address => ({
  line1: node.at('LineOne').text,
  line2: node.at('LineTwo').text,
  zip: node.at('PostcodeCode').text,
  city: node.at('CityName').text,
  country: node.at('CountryID').text ?? '',
});

function partyOf(node: XmlNode): Party {
  const registered = (scheme: string): string | null =>
    node
      .all('SpecifiedTaxRegistration')
      .map((found) => found.at('ID'))
      .find((id) => id.attribute('schemeID') === scheme)?.text ?? null;
  const endpoint = node.at('URIUniversalCommunication', 'URIID');
  const contact = node.at('DefinedTradeContact');
  return {
    name: node.at('Name').text ?? '',
    id: node.at('ID').text ?? node.at('GlobalID').text,
    legalId: node.at('SpecifiedLegalOrganization', 'ID').text,
    vatId: registered('VA'),
    taxNumber: registered('FC'),
    legalText: node.at('Description').text,
    endpoint: endpoint.text === null ? null : { id: endpoint.text, scheme: endpoint.attribute('schemeID') ?? '' },
    address: addressOf(node.at('PostalTradeAddress')),
    contact: contact.exists
      ? {
          name: contact.at('PersonName').text ?? contact.at('DepartmentName').text,
          phone: contact.at('TelephoneUniversalCommunication', 'CompleteNumber').text,
          email: contact.at('EmailURIUniversalCommunication', 'URIID').text,
        }
      : null,
  };
}

function deliveryOf(node: XmlNode): Delivery | null {
  const to = node.at('ShipToTradeParty');
  const date = dayOf(node.at('ActualDeliverySupplyChainEvent', 'OccurrenceDateTime'));
  if (date === null && !to.exists) return null;
  const address = to.at('PostalTradeAddress');
  return { date, name: to.at('Name').text, address: address.exists ? addressOf(address) : null };
}

function paymentOf(settlement: XmlNode): PaymentInstructions | null {
  const means = settlement.at('SpecifiedTradeSettlementPaymentMeans');
  if (!means.exists) return null;
  const account = means.at('PayeePartyCreditorFinancialAccount');
  const card = means.at('ApplicableTradeSettlementFinancialCard');
  const debited = means.at('PayerPartyDebtorFinancialAccount', 'IBANID').text;
  const mandate = settlement.at('SpecifiedTradePaymentTerms', 'DirectDebitMandateID').text;
  const creditorId = settlement.at('CreditorReferenceID').text;
  return {
    code: means.at('TypeCode').text ?? '',
    text: means.at('Information').text,
    remittance: settlement.at('PaymentReference').text,
    account: account.exists
      ? {
          iban: account.at('IBANID').text ?? account.at('ProprietaryID').text ?? '',
          name: account.at('AccountName').text,
          bic: means.at('PayeeSpecifiedCreditorFinancialInstitution', 'BICID').text,
        }
      : null,
    card: card.exists ? { number: card.at('ID').text ?? '', holder: card.at('CardholderName').text } : null,
    debit: debited || mandate || creditorId ? { mandate, creditorId, account: debited } : null,
  };
}

const allowanceOf = (node: XmlNode): Allowance => ({
  charge: node.at('ChargeIndicator', 'Indicator').text === 'true',
  amount: node.at('ActualAmount').text ?? '',
  baseAmount: node.at('BasisAmount').text,
  percentage: node.at('CalculationPercent').text,
  reason: node.at('Reason').text,
  reasonCode: node.at('ReasonCode').text,
});

function lineOf(node: XmlNode): Line {
  const settlement = node.at('SpecifiedLineTradeSettlement');
  const price = node.at('SpecifiedLineTradeAgreement', 'NetPriceProductTradePrice');
  const quantity = node.at('SpecifiedLineTradeDelivery', 'BilledQuantity');
  return {
    id: node.at('AssociatedDocumentLineDocument', 'LineID').text ?? '',
    note: node.at('AssociatedDocumentLineDocument', 'IncludedNote', 'Content').text,
    quantity: quantity.text ?? '',
    unit: quantity.attribute('unitCode') ?? '',
    net: settlement.at('SpecifiedTradeSettlementLineMonetarySummation', 'LineTotalAmount').text ?? '',
    orderLine: node.at('SpecifiedLineTradeAgreement', 'BuyerOrderReferencedDocument', 'LineID').text,
    period: periodOf(settlement.at('BillingSpecifiedPeriod')),
    allowances: settlement.all('SpecifiedTradeAllowanceCharge').map(allowanceOf),
    price: price.at('ChargeAmount').text ?? '',
    baseQuantity: price.at('BasisQuantity').text,
    category: categoryOf(settlement.at('ApplicableTradeTax', 'CategoryCode')),
    rate: settlement.at('ApplicableTradeTax', 'RateApplicablePercent').text,
    name: node.at('SpecifiedTradeProduct', 'Name').text ?? '',
    description: node.at('SpecifiedTradeProduct', 'Description').text,
  };
}
