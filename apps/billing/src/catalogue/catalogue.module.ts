import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { ArchiveCatalogueObject } from './archive-catalogue-object.js';
import { catalogueControllers } from './catalogue.controllers.js';
import { ProductSource, TaxGroupSource, UnitSource } from './catalogue.replica-sources.js';
import { CreateCatalogueObject } from './create-catalogue-object.js';
import { DeleteCatalogueObject } from './delete-catalogue-object.js';
import { ReadCatalogue } from './read-catalogue.js';
import { ReplaceCatalogueObject } from './replace-catalogue-object.js';
import { SeedCatalogue } from './seed-catalogue.js';
import { ToggleCouponController } from './toggle-coupon.controller.js';

/** What is sold and at which prices: products, plans, price plans, tax groups, billing groups. */
@Module({
  imports: [SettingsModule],
  controllers: [...catalogueControllers, ToggleCouponController],
  providers: [
    CreateCatalogueObject,
    ReplaceCatalogueObject,
    ArchiveCatalogueObject,
    DeleteCatalogueObject,
    ReadCatalogue,
    SeedCatalogue,
    TaxGroupSource,
    ProductSource,
    UnitSource,
  ],
  exports: [
    CreateCatalogueObject,
    ReplaceCatalogueObject,
    ArchiveCatalogueObject,
    DeleteCatalogueObject,
    ReadCatalogue,
  ],
})
export class CatalogueModule {}
