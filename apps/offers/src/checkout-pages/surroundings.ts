import type { TenantState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { type LegalLinks, legalLinksOf } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { LinkPage } from '../domain/carts/cart.js';
import { type PageLanguage, type PageLook, PLAIN_LOOK } from '../pages/layout.js';

/** What surrounds whatever a buyer does at a seller. */
export interface Surroundings {
  readonly seller: string;
  readonly sandbox: boolean;
  /** Of the seller, whose days count. */
  readonly timeZone: string;
  readonly look: PageLook;
  readonly legal: LegalLinks;
}

export const NO_SURROUNDINGS: Surroundings = {
  seller: '',
  sandbox: false,
  timeZone: 'UTC',
  look: PLAIN_LOOK,
  legal: { termsUrl: null, privacyUrl: null, withdrawalUrl: null, imprintUrl: null, cancellationPath: null },
};

/** What was asked for, and by whom. */
export interface AskedPage {
  readonly id: string;
  readonly lang: string | undefined;
  readonly accepted: string | undefined;
}

interface SellerSettings {
  readonly seller?: { readonly company?: string | null };
  readonly checkout?: Readonly<
    Record<'termsUrl' | 'privacyUrl' | 'withdrawalUrl' | 'imprintUrl' | 'logo' | 'accentColor', string | null>
  >;
}

/** Reads what surrounds the pages of a seller. */
@Injectable()
export class ReadSurroundings {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  /** Null: there is no such seller. */
  async execute(tenantId: string, page: LinkPage | null): Promise<Surroundings | null> {
    const { tenant, settings } = await this.database.tenant(
      tenantId,
      async (tx) => ({
        tenant: await this.replicas.get<TenantState>(tx, 'tenant', tenantId),
        settings: await this.replicas.get<SellerSettings>(tx, 'settings', tenantId),
      }),
      { readOnly: true },
    );
    if (!tenant) return null;
    const checkout = settings?.checkout;
    const legal = legalLinksOf(tenantId, checkout);
    return {
      seller: settings?.seller?.company ?? tenant.name,
      sandbox: tenant.mode === 'sandbox',
      timeZone: tenant.timeZone,
      look: {
        logo: checkout?.logo ?? null,
        accentColor: checkout?.accentColor ?? null,
        frames: page?.embedOrigins ?? [],
      },
      legal: {
        ...legal,
        termsUrl: page?.termsUrl ?? legal.termsUrl,
        privacyUrl: page?.privacyUrl ?? legal.privacyUrl,
      },
    };
  }
}

/** The language of a page that has some: the one that was asked for, else the browser's, else its first. */
export function pageLanguage(
  { lang, accepted }: Pick<AskedPage, 'lang' | 'accepted'>,
  page: LinkPage | null,
): PageLanguage {
  const languages = page?.languages ?? ['de', 'en'];
  const wanted = lang ?? (/^\s*de\b/i.test(accepted ?? '') ? 'de' : 'en');
  return languages.find((language) => language === wanted) ?? languages[0] ?? 'en';
}
