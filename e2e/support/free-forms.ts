const BY_TYPE = 'what it holds depends on its type, and grows with the types';
const OWN_NAMES = "the tenant's own names and values, of any kind";
const ELSEWHERE = 'as in POST /payment-methods, whose service checks it';
const PROVIDER = "the payment provider's own form";
const KEPT = 'blocks of known types; what else a program keeps in them is kept';
const BUTTON = 'a form without fields';

/** Where the OpenAPI document names no fields, each with its reason. */
export const FREE_FORMS: Readonly<Record<string, string>> = {
  'AuditEntry.metadata': BY_TYPE,
  'ConfirmCart.newPaymentMethod': ELSEWHERE,
  'CreatePaymentMethod.cardProvider': PROVIDER,
  'CreatePaymentMethod.debitProvider': PROVIDER,
  'CustomerActivity.metadata': BY_TYPE,
  'Event.data': 'the payload of the type, as `webhooks` describes it',
  'EventType.example': 'the payload of the type, as `webhooks` describes it',
  'Offer.sections[]': KEPT,
  'OfferAuditLog.data[].details': BY_TYPE,
  'OfferInput.sections[]': KEPT,
  'PrepareMethod.newPaymentMethod': ELSEWHERE,
  'PublicOffer.sections[]': KEPT,
  'UsageEvent.properties': OWN_NAMES,
  'confirmEmail request': BUTTON,
  'discoverUsageEvents answer.allProperties[].sampleValues[]': OWN_NAMES,
  'discoverUsageEvents answer.eventNames[].sampleProperties': OWN_NAMES,
  'discoverUsageEvents answer.exampleEvents[].properties': OWN_NAMES,
  'getInvoiceTimeline answer.data[].metadata': BY_TYPE,
  'ingestUsageEvents request.events[].properties': OWN_NAMES,
  'receivePaymentCallback request': "the payment provider's own call",
  'submitSignInLink request': BUTTON,
};
