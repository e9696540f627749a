import { type Static, Type } from '@sinclair/typebox';
import { agreedHash, agreedQuote } from '../domain/offers/offer.js';
import { SectionsSchema } from '../domain/offers/sections.js';
import { ContactPersonSchema, offerHead, OfferItemSchema, VariablesSchema } from '../offers/offer.schema.js';
import { representItems } from '../offers/represent-offer.js';
import { instant, LinesSchema, orNull, RecurringSchema, text, TotalsSchema, words } from '../schema.js';
import type { OpenedOffer } from './open-offer.js';

/** What a recipient sees: the published version, and nothing about other recipients. */
export const PublicOfferSchema = Type.Object(
  {
    ...offerHead,
    versionHash: Type.String({ description: 'Names what was read, for accept and sign.' }),
    seller: Type.String(),
    customer: Type.Object({ companyName: text(), firstName: text(), lastName: text() }),
    recipient: Type.Object({
      email: Type.String(),
      firstName: text(),
      lastName: text(),
      role: words(['read', 'sign']),
      signed: Type.Boolean(),
      signedAt: instant(),
    }),
    customVariables: orNull(VariablesSchema),
    sections: SectionsSchema,
    contactPerson: orNull(ContactPersonSchema),
    items: Type.Array(OfferItemSchema, {
      description: 'What is sold, as it is chosen: `optional` ones may be left out, quantities changed within bounds.',
    }),
    lines: LinesSchema,
    totals: orNull(TotalsSchema),
    recurring: RecurringSchema,
  },
  { $id: 'PublicOffer' },
);
export type PublicOfferJson = Static<typeof PublicOfferSchema>;

const iso = (value: Date | null): string | null => value?.toISOString() ?? null;

export function representPublicOffer({ offer, recipient, customer, seller }: OpenedOffer): PublicOfferJson {
  const { content } = offer.published!;
  const quote = agreedQuote(offer);
  return {
    id: offer.id,
    number: offer.number,
    name: content.name,
    status: offer.status,
    dealType: content.dealType,
    acceptanceMode: content.acceptanceMode,
    locale: content.locale,
    validUntil: iso(offer.validUntil),
    issuedAt: iso(offer.issuedAt),
    signed: offer.status === 'signed',
    signedAt: iso(offer.signedAt),
    versionHash: agreedHash(offer) ?? '',
    seller,
    customer: {
      companyName: customer?.companyName ?? null,
      firstName: customer?.firstName ?? null,
      lastName: customer?.lastName ?? null,
    },
    recipient: {
      email: recipient.email,
      firstName: recipient.firstName,
      lastName: recipient.lastName,
      role: recipient.role,
      signed: recipient.signedAt !== null,
      signedAt: iso(recipient.signedAt),
    },
    customVariables: content.customVariables,
    sections: [...offer.published!.sections],
    contactPerson: content.contactPerson && { ...content.contactPerson },
    items: representItems(offer),
    lines: [...(quote?.lines ?? [])],
    totals: quote?.totals ?? null,
    recurring: [...(quote?.recurring ?? [])],
  };
}
