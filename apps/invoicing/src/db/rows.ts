import {
  ChargeBatchRow,
  DocumentSnapshotRow,
  InvoiceHistoryRow,
  InvoiceSubscriptionRow,
  MediaRow,
  NumberSeriesRow,
  StoredNoticeRow,
} from './document.row.js';
import { ExchangeRateRow, ExchangeRateSourceRow } from './exchange-rate.row.js';
import { InvoiceRow } from './invoice.row.js';
import { PaymentOperationRow } from './payment-operation.row.js';
import { PositionRow } from './position.row.js';

export const invoicingRows = [
  InvoiceRow,
  PositionRow,
  DocumentSnapshotRow,
  MediaRow,
  InvoiceHistoryRow,
  ChargeBatchRow,
  InvoiceSubscriptionRow,
  NumberSeriesRow,
  StoredNoticeRow,
  PaymentOperationRow,
  ExchangeRateRow,
  ExchangeRateSourceRow,
];
