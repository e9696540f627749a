import { defineService } from '@kontor/service-kit';
import { OffersModule } from './app.module.js';
import { offersMigrations } from './db/migrations.js';
import { OfferRow } from './offers/offer.row.js';

/** Quotes that customers accept. */
export const offersService = defineService({
  name: 'offers',
  module: OffersModule,
  migrations: offersMigrations,
  rows: [OfferRow],
  replicas: ['tenant', 'customer', 'subscription'],
});
