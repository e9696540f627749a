import {
  BillingGroupRow,
  MeasurementRow,
  PlanItemRow,
  PlanRow,
  PricePlanRow,
  ProductFamilyRow,
  ProductRow,
  TaxGroupRow,
  UnitRow,
} from './catalogue.row.js';
import { CustomerAddressRow } from './customer-address.row.js';
import { CustomerRow } from './customer.row.js';
import { BillingSettingsRow, CustomFieldRow } from './settings.row.js';

/** Tables of customers, settings and the catalogue; the drift check compares them with the migrations. */
export const catalogueRows = [
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
];
