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
import { UpdateOffer } from './offers/update-offer.js';

@Module({
  controllers: [OfferController, OfferActionsController, CustomerReferencesController],
  providers: [
    ReadOffers,
    ReadOfferContent,
    CreateOffer,
    UpdateOffer,
    PublishOffer,
    ExtendOffer,
    ArchiveOffer,
    ExpireOffers,
  ],
})
export class OffersModule {}
