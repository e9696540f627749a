import { Module } from '@nestjs/common';
import { FindCustomers } from './find-customers.js';

/** Customers as events name them. */
@Module({ providers: [FindCustomers], exports: [FindCustomers] })
export class CustomersModule {}
