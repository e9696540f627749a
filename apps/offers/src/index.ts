import { defineService } from '@kontor/service-kit';
import { OffersModule } from './app.module.js';
import { CancellationNoticeRow } from './cancellation/cancellation-notice.row.js';
import { offersMigrations } from './db/migrations.js';
import { CartRow } from './carts/cart.row.js';
import { CheckoutLinkRow } from './checkout-links/link.row.js';
import { OfferDocumentRow } from './files/offer-document.row.js';
import { OfferRow } from './offers/offer.row.js';
import { AuditRow } from './recipients/audit.row.js';
import { RecipientRow } from './recipients/recipient.row.js';
import { customerData } from './customer-data.js';
import { retention } from './retention.js';
import { tenantData } from './tenant-data.js';

/** Quotes that customers accept. */
export const offersService = defineService({
  name: 'offers',
  module: OffersModule,
  migrations: offersMigrations,
  rows: [OfferRow, OfferDocumentRow, RecipientRow, AuditRow, CheckoutLinkRow, CartRow, CancellationNoticeRow],
  replicas: ['tenant', 'settings', 'customer', 'subscription', 'user'],
  customerData,
  retention,
  tenantData,
});
