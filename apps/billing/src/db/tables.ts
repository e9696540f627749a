import { rowTable } from '@kontor/persistence';
import { BillingRunRow, ChargeBatchRow, ChargeRow } from './billing-run.row.js';
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
import { ContactPersonRow, CustomerEmailRow, CustomerGroupRow } from './contact.row.js';
import { CustomerAddressRow } from './customer-address.row.js';
import { CustomerRow } from './customer.row.js';
import { PlannedPriceRow } from './planned-price.row.js';
import { RecurringMovementRow } from './recurring-movement.row.js';
import { BillingSettingsRow, CustomFieldRow } from './settings.row.js';
import { OfferedPriceRow, OfferedSaleRow } from './offered-sale.row.js';
import { SaleRow } from './sale.row.js';
import { EntitlementRow, FeatureAssignmentRow, FeatureRow } from './entitlement.row.js';
import { AnonymizationRow } from './anonymization.row.js';
import { ImportLineRow, ImportRow } from './import.row.js';
import { SubscriptionItemRow } from './subscription-item.row.js';
import { SubscriptionMeasurementRow } from './subscription-measurement.row.js';
import { SubscriptionRow } from './subscription.row.js';
import { UsageCorrectionRow } from './usage-correction.row.js';

export const customers = rowTable(CustomerRow);
export const customerAddresses = rowTable(CustomerAddressRow);
export const billingSettings = rowTable(BillingSettingsRow);
export const customFields = rowTable(CustomFieldRow);
export const productFamilies = rowTable(ProductFamilyRow);
export const units = rowTable(UnitRow);
export const measurements = rowTable(MeasurementRow);
export const taxGroups = rowTable(TaxGroupRow);
export const products = rowTable(ProductRow);
export const plans = rowTable(PlanRow);
export const planItems = rowTable(PlanItemRow);
export const pricePlans = rowTable(PricePlanRow);
export const coupons = rowTable(CouponRow);
export const couponProducts = rowTable(CouponProductRow);
export const couponRedemptions = rowTable(CouponRedemptionRow);
export const billingGroups = rowTable(BillingGroupRow);
export const subscriptions = rowTable(SubscriptionRow);
export const subscriptionItems = rowTable(SubscriptionItemRow);
export const plannedPrices = rowTable(PlannedPriceRow);
export const subscriptionMeasurements = rowTable(SubscriptionMeasurementRow);
export const billingRuns = rowTable(BillingRunRow);
export const chargeBatches = rowTable(ChargeBatchRow);
export const charges = rowTable(ChargeRow);
export const sales = rowTable(SaleRow);
export const offeredSales = rowTable(OfferedSaleRow);
export const offeredPrices = rowTable(OfferedPriceRow);
export const usageCorrections = rowTable(UsageCorrectionRow);
export const features = rowTable(FeatureRow);
export const featureAssignments = rowTable(FeatureAssignmentRow);
export const entitlements = rowTable(EntitlementRow);
export const customerGroups = rowTable(CustomerGroupRow);
export const contactPersons = rowTable(ContactPersonRow);
export const customerEmails = rowTable(CustomerEmailRow);
export const imports = rowTable(ImportRow);
export const importLines = rowTable(ImportLineRow);
export const recurringMovements = rowTable(RecurringMovementRow);
export const anonymizations = rowTable(AnonymizationRow);
