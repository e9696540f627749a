import type { CustomerState, TenantState } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import type { LegalLinks, SellerLook } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { GatewayName } from '../domain/payment-methods/payment-method.js';
import { Gateways } from '../gateways/port/payment-gateway.js';
import { aroundPages, noticeDaysOf, readSellerSettings } from '../sepa/seller.js';
import { isConfigured } from '../gateways/port/registering-gateway.js';
import { digestOf } from '../payment-methods/tokens.js';
import { type MethodLink, methodLinks } from '../db/method-link.row.js';
import { LINK_GATEWAYS, offeredGateways } from './offered-methods.js';

/** What a page shows around its content. */
export interface PageSurroundings {
  readonly language: string | undefined;
  readonly seller: string;
  readonly look: SellerLook;
  readonly legal: LegalLinks;
  readonly sandbox: boolean;
}

/** Everything that is known behind a link. */
export interface OpenedLink {
  readonly tenantId: string;
  readonly link: MethodLink;
  readonly customer: CustomerState;
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly seller: LinkSeller;
  readonly look: SellerLook;
  readonly legal: LegalLinks;
  readonly offered: readonly GatewayName[];
  readonly noticeDays: number;
  /** Nothing can be added with it: over, or used. */
  readonly usedUp: boolean;
}

export interface LinkSeller {
  readonly name: string;
  readonly addressLines: readonly string[];
  readonly countryCode: string | null;
  readonly creditorIdentifier: string | null;
}

interface SellerData {
  readonly company?: string | null;
  readonly address?: Readonly<
    Record<'street' | 'houseNumber' | 'zip' | 'city' | 'countryCode', string | null | undefined>
  >;
  readonly creditorIdentifier?: string | null;
}

/** Finds what a link's token leads to. A wrong token and one that never existed look the same. */
@Injectable()
export class OpenLink {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly gateways: Gateways,
  ) {}

  async execute(token: string): Promise<OpenedLink | null> {
    const found = await this.locate('method_link_by_digest', token);
    if (!found) return null;
    return this.database.tenant(found.tenantId, (tx) => this.load(tx, found.id), { readOnly: true });
  }

  /** Tenant and id behind a token, before anything else is known. */
  async locate(
    lookup: 'method_link_by_digest' | 'method_registration_by_digest' | 'payer_page_by_digest',
    token: string,
  ) {
    if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null;
    const [found] = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(`SELECT tenant_id AS "tenantId", id FROM ${lookup}($1)`, [
        digestOf(token),
      ]),
    );
    return found ?? null;
  }

  /** What a page shows around its content. */
  async surroundings(tx: TenantTx, customerId: string): Promise<PageSurroundings> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const settings = await readSellerSettings(this.replicas, tx);
    const { name } = sellerOf((settings.seller ?? {}) as SellerData, tenant?.name ?? '');
    const around = aroundPages(tx.tenantId, settings);
    return { language: customer?.language, seller: name, ...around, sandbox: tenant?.mode === 'sandbox' };
  }

  /** What a page of the tenant can offer to anybody, of `allowed`, for money of a currency. */
  ofTenant(
    tenantId: string,
    currencyCode: string | null,
    allowed: readonly GatewayName[] = LINK_GATEWAYS,
  ): Promise<Pick<OpenedLink, 'seller' | 'offered' | 'noticeDays'>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { seller, settings, offered } = await this.abilities(tx, allowed, currencyCode);
        return { seller, offered, noticeDays: noticeDaysOf(settings, {}) };
      },
      { readOnly: true },
    );
  }

  private async abilities(tx: TenantTx, allowed: readonly GatewayName[], currencyCode: string | null) {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const settings = await readSellerSettings(this.replicas, tx);
    const sandbox = tenant?.mode === 'sandbox';
    const seller = sellerOf((settings.seller ?? {}) as SellerData, tenant?.name ?? '');
    const abilities = {
      sandbox,
      hasCreditorIdentifier: seller.creditorIdentifier !== null,
      configured: (name: GatewayName) => isConfigured(this.gateways.find(name)),
    };
    const offered = offeredGateways(allowed, abilities, currencyCode);
    return { settings, sandbox, seller, offered };
  }

  async load(tx: TenantTx, linkId: string): Promise<OpenedLink | null> {
    const link = await methodLinks.get(tx, linkId);
    const customer = link && (await this.replicas.get<CustomerState>(tx, 'customer', link.customerId));
    if (!customer) return null;
    const { settings, sandbox, seller, offered } = await this.abilities(tx, link.allowedGateways, null);
    return {
      tenantId: tx.tenantId,
      link,
      customer,
      sandbox,
      timeZone: customer.timeZone,
      seller,
      ...aroundPages(tx.tenantId, settings),
      offered,
      noticeDays: noticeDaysOf(settings, customer.settings),
      usedUp: link.methodId !== null || link.expiresAt.getTime() <= Date.now(),
    };
  }
}

function sellerOf(seller: SellerData, tenantName: string): LinkSeller {
  const { street, houseNumber, zip, city, countryCode } = seller.address ?? {};
  const words = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
  const addressLines = [words(street, houseNumber), words(zip, city)].filter((line) => line !== '');
  return {
    name: seller.company ?? tenantName,
    addressLines,
    countryCode: countryCode ?? null,
    creditorIdentifier: seller.creditorIdentifier ?? null,
  };
}
