import { DomainError, validationFailed } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { AcceptOffer } from '../acceptance/accept-offer.js';
import type { InvoiceDetails } from '../domain/offers/accept.js';
import { languageFor, type PageLanguage } from '../pages/layout.js';
import { agreedHash, agreedQuote, chosenItems } from '../domain/offers/offer.js';
import { representItems } from '../offers/represent-offer.js';
import { QUANTITY, TICKED } from '../pages/offer-options.js';
import { noOfferPage, type OfferPage, offerPage } from '../pages/offer-page.js';
import type { OfferProblem } from '../pages/offer-texts.js';
import { OFFER_PATH } from '../recipients/tokens.js';
import type { Visitor } from '../recipients/audit.row.js';
import { ChooseOptions } from './choose-options.js';
import { OpenOffer, type OpenedOffer } from './open-offer.js';

export interface Asked {
  readonly token: string;
  /** Of the address. */
  readonly lang: string | undefined;
  /** Of the browser. */
  readonly accepted: string | undefined;
}

/** The status and the page, or where to go on. */
export type Shown =
  { readonly status: number; readonly page: string } | { readonly status: 303; readonly location: string };

/** The offer as a page, for people; it works without scripts. */
@Injectable()
export class ShowOffer {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly acceptOffer: AcceptOffer,
    private readonly chooseOptions: ChooseOptions,
  ) {}

  async execute(asked: Asked, problem: OfferProblem | null = null): Promise<Shown> {
    const opened = await this.openOffer.execute(asked.token).catch(unlessNotFound);
    const language = languageFor(asked.lang, opened?.offer.published?.content.locale, asked.accepted);
    if (!opened) return { status: 404, page: noOfferPage('gone', language) };
    if (opened.expired) return { status: 410, page: noOfferPage('expired', language) };
    return { status: problem ? 422 : 200, page: offerPage(pageOf(opened, asked.token, language), problem) };
  }

  /** A form of the page. What is in order leads back to the page; what is not shows it with the reason. */
  async submit(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<Shown> {
    const problem = problemOf(form) ?? (await this.act(asked, form, visitor));
    if (problem) return this.execute(asked, problem);
    const lang = asked.lang === 'de' || asked.lang === 'en' ? `?lang=${asked.lang}` : '';
    return { status: 303, location: `${OFFER_PATH}/${asked.token}${lang}` };
  }

  /** A box that is not sent is not ticked. */
  private async choose(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<void> {
    const { offer } = await this.openOffer.execute(asked.token);
    const choices = chosenItems(offer).map(({ id, optional }) => ({
      item: id,
      ...(optional && { selected: form.get(TICKED + id) === 'yes' }),
      ...(form.has(QUANTITY + id) && { quantity: quantityOf(form.get(QUANTITY + id) ?? '', asked.lang) }),
    }));
    await this.chooseOptions.execute(asked.token, choices, { versionHash: form.get('versionHash'), visitor });
  }

  private async act(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<OfferProblem | null> {
    const name = valueOf(form, 'name') ?? '';
    try {
      if (form.get('action') === 'choose') {
        await this.choose(asked, form, visitor);
        return null;
      }
      await this.openOffer.change(asked.token, async (tx, opened) => {
        const signing = { recipient: opened.recipient, visitor, versionHash: form.get('versionHash') };
        const action = form.get('action');
        if (action === 'accept') await this.acceptOffer.byClick(tx, opened.offer, signing);
        else if (action === 'sign')
          await this.acceptOffer.bySignature(tx, opened.offer, signing, { name, type: 'typed', data: name });
        else await this.acceptOffer.withDetails(tx, opened.offer, signing, detailsOf(form, opened));
      });
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === 'offer_changed') return 'changed';
      if (form.get('action') === 'choose' && error.kind === 'unprocessable') return 'choice';
      return error.reason === 'not_your_turn' ? 'turn' : 'other';
    }
  }
}

const unlessNotFound = (error: unknown): null => {
  if (error instanceof DomainError && error.kind === 'not_found') return null;
  throw error;
};

const valueOf = (form: URLSearchParams, name: string): string | null => {
  const value = form.get(name)?.trim().slice(0, 255) ?? '';
  return value === '' ? null : value;
};

function problemOf(form: URLSearchParams): OfferProblem | null {
  const action = form.get('action');
  if (action === 'details')
    return valueOf(form, 'street') && valueOf(form, 'zip') && valueOf(form, 'city') ? null : 'address';
  if (action === 'choose') return null;
  if (action !== 'accept' && action !== 'sign') return 'other';
  if (form.get('consent') !== 'yes') return 'consent';
  return action === 'sign' && (valueOf(form, 'name') ?? '').length < 2 ? 'name' : null;
}

/** As people write it in the page's language: `1.000,5`, `1,000.5`. @throws DomainError `validation_failed` */
function quantityOf(text: string, language: string | undefined): string {
  const [grouping, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const plain = text.trim().replaceAll(grouping, '').replace(point, '.');
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(plain)) throw validationFailed('quantity', 'This is no quantity.');
  return plain;
}

const detailsOf = (form: URLSearchParams, { customer }: OpenedOffer): InvoiceDetails => ({
  companyName: valueOf(form, 'companyName'),
  firstName: null,
  lastName: null,
  street: valueOf(form, 'street') ?? '',
  houseNumber: valueOf(form, 'houseNumber'),
  zip: valueOf(form, 'zip')?.slice(0, 20) ?? '',
  city: valueOf(form, 'city') ?? '',
  addition: null,
  countryCode: customer?.countryCode ?? 'DE',
  vatId: valueOf(form, 'vatId')?.slice(0, 20) ?? null,
  poNumber: valueOf(form, 'poNumber'),
});

function pageOf(
  { offer, recipient, customer, seller, sandbox, timeZone }: OpenedOffer,
  token: string,
  language: PageLanguage,
): OfferPage {
  const { content } = offer.published!;
  const quote = agreedQuote(offer);
  const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
  return {
    language,
    path: `${OFFER_PATH}/${token}`,
    seller,
    sandbox,
    timeZone,
    number: offer.number,
    name: content.name,
    status: offer.status,
    acceptanceMode: content.acceptanceMode,
    versionHash: agreedHash(offer) ?? '',
    items: representItems(offer),
    validUntil: offer.validUntil,
    signedAt: offer.signedAt,
    sections: content.sections,
    buyer: customer?.companyName ?? words(customer?.firstName, customer?.lastName),
    recipient: {
      name: words(recipient.firstName, recipient.lastName),
      canSign: recipient.role === 'sign',
      hasSigned: recipient.signedAt !== null,
    },
    lines: quote?.lines ?? [],
    totals: quote?.totals ?? null,
    recurring: quote?.recurring ?? [],
  };
}
