import { Module } from '@nestjs/common';
import { ChangeCustomer } from './change-customer.js';
import { CheckBuyerVatId } from './check-buyer-vat-id.js';
import { ChoosePaymentMethod } from './choose-payment-method.js';
import { CreateCustomer } from './create-customer.js';
import { CustomerPartsController } from './customer-parts.controller.js';
import { CustomerSource } from './customer.replica-source.js';
import { ChangeCustomerSettings } from './customer-settings.js';
import { CustomersController } from './customers.controller.js';
import { DeleteCustomer } from './delete-customer.js';
import { KeepCustomers } from './pending-deletion.js';
import { SetParent } from './set-parent.js';
import { VatCheckHandler } from './vat-check.handler.js';
import { ViesClient } from './vies.client.js';
import { WriteAddress } from './write-address.js';

/** Customers with their addresses, hierarchy, VAT ids and overrides of the settings. */
@Module({
  controllers: [CustomersController, CustomerPartsController],
  providers: [
    CreateCustomer,
    ChangeCustomer,
    DeleteCustomer,
    KeepCustomers,
    ChoosePaymentMethod,
    WriteAddress,
    ChangeCustomerSettings,
    SetParent,
    ViesClient,
    VatCheckHandler,
    CustomerSource,
    CheckBuyerVatId,
  ],
  exports: [CreateCustomer, CheckBuyerVatId],
})
export class CustomersModule {}
