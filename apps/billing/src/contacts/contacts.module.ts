import { Module } from '@nestjs/common';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { ContactsController } from './contacts.controller.js';
import { CustomerGroupsController } from './customer-groups.resource.js';
import { WriteContacts } from './write-contacts.js';

/** Who belongs to customers, and groups of them. */
@Module({
  imports: [CatalogueModule],
  controllers: [ContactsController, CustomerGroupsController],
  providers: [WriteContacts],
})
export class ContactsModule {}
