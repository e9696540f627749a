import { DomainError, storableText, validationFailed } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { AcceptOffer } from '../acceptance/accept-offer.js';
import { languageFor, type PageLanguage, type ShownPage } from '../pages/layout.js';
import { assertVersion, type InvoiceDetails } from '../domain/offers/accept.js';
import { agreementOf, choose, type ItemChoice } from '../domain/offers/items.js';
import { agreedHash, agreedQuote, chosenItems, chosenOf } from '../domain/offers/offer.js';
import { representItems } from '../offers/represent-offer.js';
import { OPTIONS_SHOWN, QUANTITY, TICKED } from '../pages/offer-options.js';
import { NO_SURROUNDINGS, ReadSurroundings, type Surroundings } from '../checkout-pages/surroundings.js';
import { canDraw, NEXT_PLACE, noOfferPage, type OfferPage, offerPage } from '../pages/offer-page.js';
import type { OfferProblem } from '../pages/offer-texts.js';
import { OFFER_PATH } from '../recipients/tokens.js';
import type { Visitor } from '../recipients/audit.row.js';
import { detailsOf, problemOfDetails, readDetails } from './details-form.js';
import { isDrawing } from './drawing.js';
import type { Signature } from '../recipients/recipient.row.js';
import { ChooseOptions } from './choose-options.js';
import { RenewQuote } from './renew-quote.js';
import { OpenOffer, type OpenedOffer } from './open-offer.js';

export interface Asked {
  readonly token: string;
  /** Of the address. */
  readonly lang: string | undefined;
  /** Of the browser. */
  readonly accepted: string | undefined;
}

/** The offer as a page, for people; it works without scripts. */
@Injectable()
export class ShowOffer {
  constructor(
    private readonly openOffer: OpenOffer,
    private readonly acceptOffer: AcceptOffer,
    private readonly renewQuote: RenewQuote,
    private readonly chooseOptions: ChooseOptions,
    private readonly surroundings: ReadSurroundings,
  ) {}

  execute(asked: Asked): Promise<ShownPage> {
    return this.shown(asked, null, null);
  }

  private async shown(asked: Asked, problem: OfferProblem | null, typed: URLSearchParams | null): Promise<ShownPage> {
    const opened = await this.openOffer.execute(asked.token).catch(unlessNotFound);
    const language = languageFor(asked.lang, opened?.offer.published?.content.locale, asked.accepted);
    if (!opened) return { status: 404, page: noOfferPage('gone', language) };
    const around = (await this.surroundings.execute(opened.offer.tenantId, null)) ?? NO_SURROUNDINGS;
    const { look } = around;
    if (opened.expired) return { status: 410, page: noOfferPage('expired', language, around), look };
    const page = offerPageOf(opened, around, { token: asked.token, language, typed });
    return { status: problem ? 422 : 200, page: offerPage(page, problem), look, hasScript: canDraw(page) };
  }

  /** A form of the page. What is in order leads back to the page; what is not shows it with the reason. */
  async submit(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<ShownPage> {
    const problem =
      (await this.chooseFirst(asked, form, visitor)) ?? problemOf(form) ?? (await this.act(asked, form, visitor));
    if (problem) return this.shown(asked, problem, form.get('action') === 'details' ? form : null);
    const lang = asked.lang === 'de' || asked.lang === 'en' ? `?lang=${asked.lang}` : '';
    const place = form.get('action') === 'choose' ? '' : `#${NEXT_PLACE}`;
    return { status: 303, location: `${OFFER_PATH}/${asked.token}${lang}${place}` };
  }

  private async choose(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<void> {
    const choices = choicesIn(asked, form, await this.openOffer.execute(asked.token));
    await this.chooseOptions.execute(asked.token, choices, { versionHash: form.get('versionHash'), visitor });
  }

  /** Options that were changed on the page in which somebody accepts: they count, and what they cost is read before it is agreed. */
  private async chooseFirst(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<OfferProblem | null> {
    if (form.get('action') === 'choose' || !form.has(OPTIONS_SHOWN)) return null;
    const opened = await this.openOffer.execute(asked.token).catch(unlessNotFound);
    if (opened?.offer.status !== 'open' || opened.expired || isChosen(asked, form, opened)) return null;
    const choice = new URLSearchParams(form);
    choice.set('action', 'choose');
    return (await this.act(asked, choice, visitor)) ?? 'chosen';
  }

  private async detailsIn({ token }: Asked, form: URLSearchParams): Promise<InvoiceDetails> {
    return detailsOf(readDetails(form, await this.openOffer.execute(token)));
  }

  private async act(asked: Asked, form: URLSearchParams, visitor: Visitor): Promise<OfferProblem | null> {
    const name = valueOf(form, 'name') ?? '';
    try {
      if (form.get('action') === 'choose') {
        await this.choose(asked, form, visitor);
        return null;
      }
      const details = form.get('action') === 'details' ? await this.detailsIn(asked, form) : null;
      const compared = await this.renewQuote.execute(asked.token, visitor, details);
      await this.openOffer.change(asked.token, async (tx, opened) => {
        const signing = {
          recipient: opened.recipient,
          visitor,
          versionHash: details ? compared : form.get('versionHash'),
        };
        // A second click has not read the tax that the first one was shown.
        if (details) assertVersion(opened.offer, form.get('versionHash'));
        if (details) return this.acceptOffer.withDetails(tx, opened.offer, signing, details);
        if (form.get('action') === 'accept') await this.acceptOffer.byClick(tx, opened.offer, signing);
        else await this.acceptOffer.bySignature(tx, opened.offer, signing, signatureOf(form, name));
      });
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (await this.isDone(asked, form)) return null;
      if (error.reason === 'offer_changed') return form.get('action') === 'details' ? 'total' : 'changed';
      if (form.get('action') === 'choose' && error.kind === 'unprocessable') return 'choice';
      return error.reason === 'not_your_turn' ? 'turn' : 'other';
    }
  }

  /** Whether the offer says already what the form does: of two clicks a browser shows what the second one is answered. */
  private async isDone(asked: Asked, form: URLSearchParams): Promise<boolean> {
    const opened = await this.openOffer.execute(asked.token).catch(unlessNotFound);
    if (!opened) return false;
    const { offer, recipient } = opened;
    switch (form.get('action')) {
      case 'choose':
        return isChosen(asked, form, opened);
      case 'details':
        return isDeepStrictEqual(offer.capturedInvoiceDetails, detailsOf(readDetails(form, opened)));
      default:
        return recipient.signedAt !== null && form.get('versionHash') === agreedHash(offer);
    }
  }
}

/** A box that is not sent is not ticked. @throws DomainError `validation_failed` */
const choicesIn = ({ lang }: Asked, form: URLSearchParams, { offer }: OpenedOffer): ItemChoice[] =>
  chosenItems(offer).map(({ id, optional }) => ({
    item: id,
    ...(optional && { selected: form.get(TICKED + id) === 'yes' }),
    ...(form.has(QUANTITY + id) && { quantity: quantityOf(form.get(QUANTITY + id) ?? '', lang) }),
  }));

function isChosen(asked: Asked, form: URLSearchParams, opened: OpenedOffer): boolean {
  const { published } = opened.offer;
  const before = chosenItems(opened.offer);
  try {
    const mayBeNothing = agreementOf(published!.content.sections).plan !== null;
    const items = choose(before, choicesIn(asked, form, opened), { mayBeNothing });
    return isDeepStrictEqual(chosenOf(items), chosenOf(before));
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

const unlessNotFound = (error: unknown): null => {
  if (error instanceof DomainError && error.kind === 'not_found') return null;
  throw error;
};

const valueOf = (form: URLSearchParams, name: string): string | null => {
  const value = storableText(form.get(name)?.trim() ?? '', 255);
  return value === '' ? null : value;
};

function problemOf(form: URLSearchParams): OfferProblem | null {
  const action = form.get('action');
  if (action === 'details') return problemOfDetails(readDetails(form, { customer: null }));
  if (action === 'choose') return null;
  if (action !== 'accept' && action !== 'sign') return 'other';
  if (form.get('consent') !== 'yes') return 'consent';
  if (action === 'accept') return null;
  if ((valueOf(form, 'name') ?? '').length < 2) return 'name';
  return isDrawn(form) && !isDrawing(form.get('drawing') ?? '') ? 'drawing' : null;
}

const isDrawn = (form: URLSearchParams): boolean => form.get('signature') === 'drawn';

const signatureOf = (form: URLSearchParams, name: string): Signature =>
  isDrawn(form) ? { name, type: 'drawn', data: form.get('drawing') ?? '' } : { name, type: 'typed', data: name };

/** As people write it in the page's language: `1.000,5`, `1,000.5`. @throws DomainError `validation_failed` */
function quantityOf(text: string, language: string | undefined): string {
  const [grouping, point] = language === 'en' ? [',', '.'] : ['.', ','];
  const plain = text.trim().replaceAll(grouping, '').replace(point, '.');
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(plain)) throw validationFailed('quantity', 'This is no quantity.');
  return plain;
}

/** What a page says of an offer that was opened. */
export function offerPageOf(
  { offer, recipient, customer, timeZone }: OpenedOffer,
  { seller, sandbox, look, legal }: Surroundings,
  { token, language, typed }: { token: string; language: PageLanguage; typed: URLSearchParams | null },
): OfferPage {
  const { content } = offer.published!;
  const quote = agreedQuote(offer);
  const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
  return {
    language,
    path: `${OFFER_PATH}/${token}`,
    seller,
    look,
    legal,
    sandbox,
    isPreview: false,
    timeZone,
    number: offer.number,
    name: content.name,
    status: offer.status,
    acceptanceMode: content.acceptanceMode,
    versionHash: agreedHash(offer) ?? '',
    items: representItems(offer),
    validUntil: offer.validUntil,
    signedAt: offer.signedAt,
    sections: offer.published!.sections,
    details: readDetails(typed, { customer }),
    contactPerson: content.contactPerson,
    buyer: customer?.companyName ?? words(customer?.firstName, customer?.lastName),
    recipient: {
      name: words(recipient.firstName, recipient.lastName),
      canSign: recipient.role === 'sign',
      hasSigned: recipient.signedAt !== null,
    },
    lines: quote?.lines ?? [],
    totals: quote?.totals ?? null,
    recurring: quote?.recurring ?? [],
    measured: quote?.measured ?? [],
    term: quote?.term ?? null,
  };
}
