import { Module } from '@nestjs/common';
import { ArchiveCatalogueObject } from './catalogue/archive-catalogue-object.js';
import { BillingGroupsController } from './catalogue/billing-groups.controller.js';
import { ProductSource, TaxGroupSource, UnitSource } from './catalogue/catalogue.replica-sources.js';
import { CreateCatalogueObject } from './catalogue/create-catalogue-object.js';
import { DeleteCatalogueObject } from './catalogue/delete-catalogue-object.js';
import { MeasurementsController } from './catalogue/measurements.controller.js';
import { PlansController } from './catalogue/plans.controller.js';
import { PricePlansController } from './catalogue/price-plans.controller.js';
import { ProductFamiliesController } from './catalogue/product-families.controller.js';
import { ProductsController } from './catalogue/products.controller.js';
import { ReadCatalogue } from './catalogue/read-catalogue.js';
import { ReplaceCatalogueObject } from './catalogue/replace-catalogue-object.js';
import { TaxGroupsController } from './catalogue/tax-groups.controller.js';
import { UnitsController } from './catalogue/units.controller.js';
import { ArchiveCustomer } from './customers/archive-customer.js';
import { ChangeCustomer } from './customers/change-customer.js';
import { ChoosePaymentMethod } from './customers/choose-payment-method.js';
import { CreateCustomer } from './customers/create-customer.js';
import { CustomerPartsController } from './customers/customer-parts.controller.js';
import { CustomerSource } from './customers/customer.replica-source.js';
import { ChangeCustomerSettings } from './customers/customer-settings.js';
import { CustomersController } from './customers/customers.controller.js';
import { DeleteCustomer } from './customers/delete-customer.js';
import { SetParent } from './customers/set-parent.js';
import { VatCheckHandler } from './customers/vat-check.handler.js';
import { ViesClient } from './customers/vies.client.js';
import { WriteAddress } from './customers/write-address.js';
import { AddCustomField } from './settings/add-custom-field.js';
import { ChangeSettings } from './settings/change-settings.js';
import { OnTenantChanged } from './settings/on-tenant-changed.js';
import { SettingsController } from './settings/settings.controller.js';
import { SettingsSource } from './settings/settings.replica-source.js';
import { TenantSetup } from './settings/tenant-setup.js';

/** Customers, settings and the catalogue: what subscriptions build upon. */
@Module({
  controllers: [
    CustomersController,
    CustomerPartsController,
    SettingsController,
    ProductFamiliesController,
    ProductsController,
    UnitsController,
    MeasurementsController,
    PlansController,
    PricePlansController,
    TaxGroupsController,
    BillingGroupsController,
    OnTenantChanged,
  ],
  providers: [
    CreateCustomer,
    ChangeCustomer,
    ArchiveCustomer,
    DeleteCustomer,
    ChoosePaymentMethod,
    WriteAddress,
    ChangeCustomerSettings,
    SetParent,
    ViesClient,
    VatCheckHandler,
    CustomerSource,
    TenantSetup,
    ChangeSettings,
    AddCustomField,
    SettingsSource,
    CreateCatalogueObject,
    ReplaceCatalogueObject,
    ArchiveCatalogueObject,
    DeleteCatalogueObject,
    ReadCatalogue,
    TaxGroupSource,
    ProductSource,
    UnitSource,
  ],
  exports: [TenantSetup],
})
export class CoreModule {}
