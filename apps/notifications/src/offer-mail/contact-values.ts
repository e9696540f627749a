import type { EventOf, offerLinkSentV1 } from '@kontor/contracts';

type Contact = EventOf<typeof offerLinkSentV1>['payload']['contactPerson'];

/** What a mail about an offer says of whom to ask; without a phone of its own it names the seller's. */
export const contactValues = (contact: Contact) => ({
  contactName: contact?.name ?? '',
  contactEmail: contact?.email ?? '',
  ...(contact?.phone && { contactPhone: contact.phone }),
});

/** Who can be asked, in both languages. */
export const QUESTIONS = {
  de:
    '{% if contactName != "" %}Ihr Kontakt: {{ contactName }}{% if contactEmail != "" %}, {{ contactEmail }}{% endif %}. {% endif %}' +
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
  en:
    '{% if contactName != "" %}Your contact: {{ contactName }}{% if contactEmail != "" %}, {{ contactEmail }}{% endif %}. {% endif %}' +
    'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};
