import {
  ChargeBatchRow,
  DocumentSnapshotRow,
  InvoiceHistoryRow,
  InvoiceSubscriptionRow,
  MediaRow,
  NumberSeriesRow,
} from './db/document.row.js';
import { DunningDocumentRow } from './dunning/dunning-document.row.js';
import { DunningRuleRow } from './dunning/dunning-rule.row.js';
import { DocumentTemplateRow } from './db/document-template.row.js';
import { AwaitedPdfRow } from './db/awaited-pdf.row.js';
import { ChargePartRow } from './charges/charge-part.row.js';
import { ExchangeRateRow, ExchangeRateSourceRow } from './rates/exchange-rate.row.js';
import { InvoiceRow } from './db/invoice.row.js';
import { PaymentOperationRow } from './payments/payment-operation.row.js';
import { PositionRow } from './db/position.row.js';
import { RemovedChargeRow } from './db/removed-charge.row.js';

export const invoicingRows = [
  InvoiceRow,
  PositionRow,
  DocumentSnapshotRow,
  MediaRow,
  AwaitedPdfRow,
  InvoiceHistoryRow,
  ChargeBatchRow,
  ChargePartRow,
  RemovedChargeRow,
  InvoiceSubscriptionRow,
  NumberSeriesRow,
  PaymentOperationRow,
  ExchangeRateRow,
  ExchangeRateSourceRow,
  DunningRuleRow,
  DunningDocumentRow,
  DocumentTemplateRow,
];
