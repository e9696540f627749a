import { Module } from '@nestjs/common';
import { ArchiveOffer } from './offers/archive-offer.js';
import { CreateOffer } from './offers/create-offer.js';
import { CustomerReferencesController } from './offers/customer-references.controller.js';
import { ExpireOffers } from './offers/expire-offers.js';
import { ExtendOffer } from './offers/extend-offer.js';
import { OfferActionsController, OfferController } from './offers/offer.controller.js';
import { ReadOfferContent } from './offers/offer-content.js';
import { ReadOffers } from './offers/offer.read.js';
import { PublishOffer } from './offers/publish-offer.js';
import { AcceptOffer } from './acceptance/accept-offer.js';
import { AcceptanceController } from './acceptance/acceptance.controller.js';
import { CompleteSale } from './acceptance/complete-sale.js';
import { OpenOffer } from './public-offers/open-offer.js';
import { PublicOffersController } from './public-offers/public-offers.controller.js';
import { AddRecipients } from './recipients/add-recipients.js';
import { RecipientLinks } from './recipients/tokens.js';
import { UpdateOffer } from './offers/update-offer.js';

@Module({
  controllers: [
    OfferController,
    OfferActionsController,
    AcceptanceController,
    PublicOffersController,
    CustomerReferencesController,
  ],
  providers: [
    ReadOffers,
    ReadOfferContent,
    CreateOffer,
    UpdateOffer,
    PublishOffer,
    ExtendOffer,
    ArchiveOffer,
    ExpireOffers,
    AcceptOffer,
    CompleteSale,
    OpenOffer,
    AddRecipients,
    RecipientLinks,
  ],
})
export class OffersModule {}
