import { canBeVatId, isLeitwegId, normalizeVatId, storableText } from '@kontor/kernel';
import type { InvoiceDetails } from '../domain/offers/accept.js';
import type { DetailsForm } from '../pages/offer-details.js';
import type { OpenedOffer } from './open-offer.js';

const LENGTHS = { houseNumber: 30, zip: 20, vatId: 20, leitwegId: 46 } as const;
const NAMES = [
  'companyName',
  'street',
  'houseNumber',
  'zip',
  'city',
  'countryCode',
  'vatId',
  'poNumber',
  'leitwegId',
] as const;

/** What was typed about where the invoices go; before that, what is known. */
export function readDetails(form: URLSearchParams | null, { customer }: Pick<OpenedOffer, 'customer'>): DetailsForm {
  const country = form?.get('countryCode') ?? '';
  const typed = (name: (typeof NAMES)[number]): string =>
    storableText(form?.get(name)?.trim() ?? '', name in LENGTHS ? LENGTHS[name as keyof typeof LENGTHS] : 255);
  return {
    ...(Object.fromEntries(NAMES.map((name) => [name, typed(name)])) as unknown as DetailsForm),
    companyName: form === null ? (customer?.companyName ?? '') : typed('companyName'),
    countryCode: /^[A-Z]{2}$/.test(country) ? country : (customer?.countryCode ?? 'DE'),
  };
}

/** Why nobody could send an invoice there; null: one can. */
export function problemOfDetails(typed: DetailsForm): 'address' | 'vatId' | 'leitwegId' | null {
  const { street, zip, city, vatId, leitwegId } = typed;
  if (street === '' || zip === '' || city === '') return 'address';
  if (vatId !== '' && !canBeVatId(normalizeVatId(vatId))) return 'vatId';
  return leitwegId !== '' && !isLeitwegId(leitwegId) ? 'leitwegId' : null;
}

export function detailsOf(typed: DetailsForm): InvoiceDetails {
  const orNull = (text: string): string | null => (text === '' ? null : text);
  return {
    ...typed,
    companyName: orNull(typed.companyName),
    firstName: null,
    lastName: null,
    houseNumber: orNull(typed.houseNumber),
    addition: null,
    vatId: orNull(typed.vatId),
    poNumber: orNull(typed.poNumber),
    leitwegId: orNull(typed.leitwegId),
  };
}
