import type { DocumentSnapshot, SnapshotPostalAddress } from '../finalization/document-snapshot.js';
import type { Address, Delivery, Party } from './e-invoice.js';
import { plain } from './plain-text.js';

function addressOf({ street, houseNumber, addition, zip, city, countryCode }: SnapshotPostalAddress): Address {
  return {
    line1: plain([street, houseNumber].filter(Boolean).join(' ')),
    line2: plain(addition),
    zip: plain(zip),
    city: plain(city),
    // The norm knows countries by ISO 3166 alone, which calls Greece GR.
    country: countryCode === 'EL' ? 'GR' : countryCode,
  };
}

/** `outside`: the document is outside the scope of VAT, where no VAT id may stand. */
export function sellerOf(snapshot: DocumentSnapshot, outside: boolean): Party {
  const { seller, smallBusiness, taxes } = snapshot;
  const legal = smallBusiness ? taxes.find((tax) => tax.category === 'E')?.legalNote : null;
  const { name, phone, email } = seller.contact;
  return {
    name: plain(seller.companyName) ?? '',
    // Some way to identify the seller is needed, and outside the scope of the tax no VAT id is allowed.
    id: outside || !seller.vatId ? plain(seller.taxNumber ?? seller.vatId) : null,
    legalId: null,
    vatId: outside ? null : plain(seller.vatId),
    taxNumber: outside ? null : plain(seller.taxNumber),
    legalText: plain([...seller.registrationLines, legal].filter(Boolean).join('\n')),
    endpoint: email ? { id: email, scheme: 'EM' } : null,
    address: addressOf(seller.address),
    contact: name || phone || email ? { name: plain(name), phone: plain(phone), email: plain(email) } : null,
  };
}

export function buyerOf({ recipient }: DocumentSnapshot, outside: boolean): Party {
  const { companyName, personName, nameLines, email } = recipient;
  return {
    name: plain(companyName ?? personName ?? nameLines[0]) ?? '',
    id: plain(recipient.customerNumber),
    legalId: null,
    vatId: outside ? null : plain(recipient.vatId),
    taxNumber: null,
    legalText: null,
    endpoint: email ? { id: email, scheme: 'EM' } : null,
    address: addressOf(recipient.address),
    contact: companyName && personName ? { name: plain(personName), phone: null, email: plain(email) } : null,
  };
}

/** BG-13; the address stands where goods or services go abroad. */
export function deliveryOf(snapshot: DocumentSnapshot): Delivery {
  const { recipient, servicePeriod, issueDate } = snapshot;
  const abroad = snapshot.taxes.some((tax) => tax.category === 'K' || tax.category === 'G');
  return {
    date: servicePeriod?.to ?? issueDate,
    name: abroad ? (plain(recipient.companyName ?? recipient.personName) ?? null) : null,
    address: abroad ? addressOf(recipient.address) : null,
  };
}
