import { CustomerMergesModule, CustomerReferencesModule } from '@kontor/service-kit';
import { Module } from '@nestjs/common';
import { ApprovalController } from './offers/approval.controller.js';
import { ApproveOffer } from './offers/approve-offer.js';
import { RemindRecipients } from './offers/remind-recipients.js';
import { ArchiveOffer } from './offers/archive-offer.js';
import { CreateOffer } from './offers/create-offer.js';
import { ReferringSales } from './customers/referring-sales.js';
import { ExpireOffers } from './offers/expire-offers.js';
import { ExtendOffer } from './offers/extend-offer.js';
import { OfferActionsController, OfferController } from './offers/offer.controller.js';
import { CheckSold } from './offers/check-sold.js';
import { ReadOfferContent } from './offers/offer-content.js';
import { ReadOffers } from './offers/offer.read.js';
import { AskPrices } from './offers/ask-prices.js';
import { PublishOffer } from './offers/publish-offer.js';
import { AcceptOffer } from './acceptance/accept-offer.js';
import { AcceptanceController } from './acceptance/acceptance.controller.js';
import { CompleteSale } from './acceptance/complete-sale.js';
import { ChooseOptions } from './public-offers/choose-options.js';
import { RenewQuote } from './public-offers/renew-quote.js';
import { OfferDocumentsController, PublicDocumentsController } from './documents/documents.controller.js';
import { OfferDocuments } from './documents/offer-documents.js';
import { WriteSignedDocuments } from './documents/write-signed-documents.js';
import { OfferPreviewController } from './public-offers/preview.controller.js';
import { PreviewOffer } from './public-offers/preview-offer.js';
import { OpenOffer } from './public-offers/open-offer.js';
import { PublicOffersController } from './public-offers/public-offers.controller.js';
import { AddRecipients } from './recipients/add-recipients.js';
import { SendLinks } from './recipients/send-links.js';
import { RecipientLinks } from './recipients/tokens.js';
import { ActOnNotice } from './cancellation/act-on-notice.js';
import { CancellationController } from './cancellation/cancellation.controller.js';
import { DeclareCancellation } from './cancellation/declare-cancellation.js';
import { NoticesController } from './cancellation/notices.controller.js';
import { ShowCancellation } from './cancellation/show-cancellation.js';
import { CartLinks } from './carts/cart-links.js';
import { CartMethodsController } from './carts/cart-methods.controller.js';
import { CartsController } from './carts/carts.controller.js';
import { ChangeCart } from './carts/change-cart.js';
import { CompleteCart } from './carts/complete-cart.js';
import { ConfirmCart } from './carts/confirm-cart.js';
import { ExpireCarts } from './carts/expire-carts.js';
import { OnCartInvoicePaid } from './carts/on-cart-invoice-paid.js';
import { OpenCart } from './carts/open-cart.js';
import { PublicCartsController } from './carts/public-carts.controller.js';
import { OrderMails } from './carts/order-mails.js';
import { RemindOfCarts } from './carts/remind-of-carts.js';
import { PayCart } from './carts/pay-cart.js';
import { QuoteCart } from './carts/quote-cart.js';
import { SaveCart } from './carts/save-cart.js';
import { AskOnSale } from './checkout-links/ask-on-sale.js';
import { CheckoutLinks } from './checkout-links/links.js';
import { CheckoutLinksController } from './checkout-links/links.controller.js';
import { CheckoutPagesController } from './checkout-pages/checkout-pages.controller.js';
import { ShowCart } from './checkout-pages/show-cart.js';
import { ShowLink } from './checkout-pages/show-link.js';
import { ReadSurroundings } from './checkout-pages/surroundings.js';
import { ScriptsController } from './pages/scripts.controller.js';
import { ShowOffer } from './public-offers/show-offer.js';
import { MoveSales } from './merging/move-sales.js';
import { UpdateOffer } from './offers/update-offer.js';

@Module({
  imports: [CustomerMergesModule.with(MoveSales), CustomerReferencesModule.with(ReferringSales)],
  controllers: [
    OfferController,
    OfferActionsController,
    ApprovalController,
    AcceptanceController,
    PublicOffersController,
    OfferPreviewController,
    OfferDocumentsController,
    PublicDocumentsController,
    CheckoutLinksController,
    CartsController,
    PublicCartsController,
    CartMethodsController,
    CheckoutPagesController,
    OnCartInvoicePaid,
    CancellationController,
    ScriptsController,
    NoticesController,
  ],
  providers: [
    ReadOffers,
    CheckSold,
    ReadOfferContent,
    CreateOffer,
    UpdateOffer,
    AskPrices,
    PublishOffer,
    ApproveOffer,
    RemindRecipients,
    ExtendOffer,
    ArchiveOffer,
    ExpireOffers,
    AcceptOffer,
    CompleteSale,
    OpenOffer,
    PreviewOffer,
    OfferDocuments,
    WriteSignedDocuments,
    ChooseOptions,
    RenewQuote,
    AddRecipients,
    RecipientLinks,
    SendLinks,
    CheckoutLinks,
    AskOnSale,
    CartLinks,
    SaveCart,
    QuoteCart,
    PayCart,
    OrderMails,
    RemindOfCarts,
    ChangeCart,
    ConfirmCart,
    CompleteCart,
    ExpireCarts,
    OpenCart,
    ShowOffer,
    ShowCart,
    ShowLink,
    ReadSurroundings,
    DeclareCancellation,
    ActOnNotice,
    ShowCancellation,
  ],
})
export class OffersModule {}
