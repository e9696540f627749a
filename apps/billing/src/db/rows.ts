import {
  BillingGroupRow,
  CouponProductRow,
  CouponRedemptionRow,
  CouponRow,
  MeasurementRow,
  PlanItemRow,
  PlanRow,
  PricePlanRow,
  ProductFamilyRow,
  ProductRow,
  TaxGroupRow,
  UnitRow,
} from './catalogue.row.js';
import {
  BillingAccountRow,
  BillingRunFailureRow,
  BillingRunRow,
  ChargeBatchRow,
  ChargeRow,
} from './billing-run.row.js';
import { ContactPersonRow, CustomerEmailRow, CustomerGroupRow } from './contact.row.js';
import { CustomerAddressRow } from './customer-address.row.js';
import { CustomerRow } from './customer.row.js';
import { EntitlementRow, FeatureAssignmentRow, FeatureRow } from './entitlement.row.js';
import { AnonymizationRow } from './anonymization.row.js';
import { ImportLineRow, ImportRow } from './import.row.js';
import { NumberSeriesRow } from './number-series.row.js';
import { PlannedPriceRow } from './planned-price.row.js';
import { RecurringMovementRow } from './recurring-movement.row.js';
import { BillingSettingsRow, CustomFieldRow } from './settings.row.js';
import { OfferedPriceRow, OfferedSaleRow } from './offered-sale.row.js';
import { SaleRow } from './sale.row.js';
import { SubscriptionItemRow } from './subscription-item.row.js';
import { SubscriptionMeasurementRow } from './subscription-measurement.row.js';
import { UsageCorrectionRow } from './usage-correction.row.js';
import { SubscriptionRow } from './subscription.row.js';

/** The drift check compares them with the migrations. */
export const billingRows = [
  CustomerRow,
  CustomerAddressRow,
  BillingSettingsRow,
  CustomFieldRow,
  ProductFamilyRow,
  UnitRow,
  MeasurementRow,
  TaxGroupRow,
  ProductRow,
  PlanRow,
  PlanItemRow,
  PricePlanRow,
  BillingGroupRow,
  CouponRow,
  CouponProductRow,
  CouponRedemptionRow,
  SubscriptionRow,
  SaleRow,
  OfferedSaleRow,
  OfferedPriceRow,
  SubscriptionItemRow,
  PlannedPriceRow,
  SubscriptionMeasurementRow,
  BillingAccountRow,
  BillingRunRow,
  BillingRunFailureRow,
  ChargeBatchRow,
  ChargeRow,
  UsageCorrectionRow,
  NumberSeriesRow,
  FeatureRow,
  FeatureAssignmentRow,
  EntitlementRow,
  CustomerGroupRow,
  ContactPersonRow,
  CustomerEmailRow,
  ImportRow,
  ImportLineRow,
  RecurringMovementRow,
  AnonymizationRow,
];
