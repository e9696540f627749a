import { Log, ServiceConfig } from '@kontor/service-kit';
import { Global, Module } from '@nestjs/common';
import { storeDocumentShapes } from './bank/matching/document-shapes.js';
import { rematchOpenLines } from './bank/matching/rematch-open-lines.js';
import { replaceRedundantCollections } from './collections/replace-redundant-collections.js';
import { CorrectionReactions } from './corrections/reactions.js';
import { BooksReactions } from './customer-books/reactions.js';
import { keepDocumentTaxes, keepWrittenOff } from './datev/document-taxes.js';
import { BuiltGateways, providerGateways, TEST_GATEWAYS } from './gateways/built-gateways.js';
import { BankOrders } from './gateways/port/bank-orders.js';
import { Gateways } from './gateways/port/payment-gateway.js';
import { IntentReactions } from './intents/reactions.js';
import { MethodReactions } from './payment-methods/reactions.js';
import { announceSteps } from './payer-pages/announce-steps.js';
import { PayerLinks } from './collections/payer-links.js';
import { SepaBankOrders } from './sepa/sepa-bank-orders.js';
import { SepaDebitGateway } from './sepa/sepa-debit.gateway.js';
import { SepaModule } from './sepa/sepa.module.js';
import { WaitingDebits } from './sepa/waiting-debits.js';
import { followTopUps } from './top-ups/follow-top-ups.js';
import { loadNotifiedPayments } from './transactions/load-notified-payments.js';
import { scheduleCreditExpiry } from './wallet/schedule-credit-expiry.js';

/** Who answers a room's port: the only place that knows both sides. */
@Global()
@Module({
  imports: [SepaModule],
  providers: [
    {
      provide: Gateways,
      inject: [SepaDebitGateway, ServiceConfig, Log],
      useFactory: (sepaDebit: SepaDebitGateway, config: ServiceConfig, log: Log): Gateways =>
        new BuiltGateways([...TEST_GATEWAYS, sepaDebit, ...providerGateways(config, log)]),
    },
    { provide: BankOrders, useExisting: SepaBankOrders },
    {
      provide: BooksReactions,
      inject: [BankOrders, ServiceConfig],
      useFactory: (bankOrders: BankOrders, config: ServiceConfig): BooksReactions => ({
        loadUnsent: (tx, intentIds) => bankOrders.unsentOf(tx, intentIds),
        // What is paid by now is not collected once more: part of the decision itself.
        beforeSaving: [replaceRedundantCollections],
        loadNotifiedPayments: (tx, books) => loadNotifiedPayments(tx, books, bankOrders),
        afterSaving: [
          scheduleCreditExpiry,
          followTopUps,
          (tx, books) => announceSteps(tx, books, new PayerLinks(config)),
        ],
      }),
    },
    {
      provide: IntentReactions,
      useValue: {
        async documentsOpened(tx, documents) {
          await storeDocumentShapes(
            tx,
            documents.map((document) => document.number),
          );
          await rematchOpenLines(tx);
          await keepDocumentTaxes(tx, documents);
        },
        paymentRecorded: rematchOpenLines,
      } satisfies IntentReactions,
    },
    {
      provide: CorrectionReactions,
      useValue: { writtenOff: keepWrittenOff } satisfies CorrectionReactions,
    },
    {
      provide: MethodReactions,
      inject: [WaitingDebits],
      useFactory: (waitingDebits: WaitingDebits): MethodReactions => ({
        methodRemoved: (tx, methodId) => waitingDebits.declineOf(tx, methodId, 'payment_method_removed'),
      }),
    },
  ],
  exports: [Gateways, BankOrders, BooksReactions, IntentReactions, CorrectionReactions, MethodReactions],
})
export class CompositionModule {}
