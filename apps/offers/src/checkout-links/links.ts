import { checkoutLinkChangedV1 } from '@kontor/contracts';
import { DomainError, newUuid, notFound, validationFailed } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { Database, type TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, page, type Page, ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { LinkOptions } from '../domain/carts/cart.js';
import type { CheckoutLinkDto } from './link.dto.js';
import { CheckoutLinkRow, checkoutLinks } from './link.row.js';
import type { CheckoutLinkJson } from './link.schema.js';
import { readItems } from './read-items.js';
import { AskOnSale, type OnSaleState } from './ask-on-sale.js';
import { readPage } from './link-page.js';
import { represent } from './represent-link.js';

const COLUMNS = { slug: 'slug', createdAt: 'created_at' } as const;

/** Creates, replaces, deletes and shows checkout links. */
@Injectable()
export class CheckoutLinks {
  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
    private readonly onSale: AskOnSale,
  ) {}

  /** @throws DomainError `already_exists` (slug), `validation_failed`, `unknown_reference`, `currency_mix` */
  async create(tenantId: string, body: CheckoutLinkDto): Promise<CheckoutLinkJson> {
    const id = newUuid();
    const fields = fieldsOf(body, id);
    const sale = await this.onSale.check(tenantId, fields.items);
    return this.database.tenant(tenantId, async (tx) => {
      const link = Object.assign(new CheckoutLinkRow(), {
        tenantId,
        id,
        version: 0,
        sold: 0,
        createdAt: tx.now,
        ...fields,
      });
      await refuseTaken(tx, link);
      return this.save(tx, link, sale, true);
    });
  }

  /** Carts that were begun keep what they have. @throws DomainError `not_found`, and as {@link create} */
  async replace(tenantId: string, id: string, body: CheckoutLinkDto): Promise<CheckoutLinkJson> {
    const before = await this.load(tenantId, id);
    const sale = await this.onSale.check(tenantId, fieldsOf(body, id, before.slug).items, before.items);
    return this.database.tenant(tenantId, async (tx) => {
      const link = await checkoutLinks.get(tx, id, { lock: 'update' });
      if (!link) throw notFound('The checkout link');
      Object.assign(link, fieldsOf(body, id, link.slug));
      if (link.maxSales !== null && link.maxSales < link.sold)
        throw validationFailed('maxSales', `${link.sold} have been sold already.`, 'contradiction');
      await refuseTaken(tx, link);
      return this.save(tx, link, sale, false);
    });
  }

  /** @throws DomainError `not_found`, `in_use` while carts refer to it */
  remove(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const link = await checkoutLinks.get(tx, id, { lock: 'update' });
      if (!link) throw notFound('The checkout link');
      const [used] = await tx.query('SELECT 1 FROM cart WHERE tenant_id = $1 AND link_id = $2 LIMIT 1', [tenantId, id]);
      if (used) throw new DomainError('in_use', { detail: 'Carts were begun by this link. Disable it instead.' });
      await checkoutLinks.delete(tx, { id });
    });
  }

  async get(tenantId: string, id: string): Promise<CheckoutLinkJson> {
    const link = await this.load(tenantId, id);
    const [sale = 'unknown'] = await this.onSale.states(tenantId, [link]);
    return represent(link, { sale, now: await this.database.now(tenantId), publicUrl: this.config.publicUrl });
  }

  async list(tenantId: string, list: ListQuery): Promise<Page<CheckoutLinkJson>> {
    const { rows, total } = await this.database.tenant(
      tenantId,
      (tx) => listRows(tx, list, { table: checkoutLinks, columns: COLUMNS }),
      { readOnly: true },
    );
    const { publicUrl } = this.config;
    const now = await this.database.now(tenantId);
    const sales = await this.onSale.states(tenantId, rows);
    return page(
      rows.map((link, n) => represent(link, { sale: sales[n] ?? 'unknown', now, publicUrl })),
      total,
      list,
    );
  }

  private load(tenantId: string, id: string): Promise<CheckoutLinkRow> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const link = await checkoutLinks.get(tx, id);
        if (!link) throw notFound('The checkout link');
        return link;
      },
      { readOnly: true },
    );
  }

  private async save(
    tx: TenantTx,
    link: CheckoutLinkRow,
    sale: OnSaleState,
    isNew: boolean,
  ): Promise<CheckoutLinkJson> {
    link.version += 1;
    link.updatedAt = tx.now;
    if (isNew) await checkoutLinks.insert(tx, link);
    else await checkoutLinks.update(tx, link);
    const json = represent(link, { sale, now: tx.now, publicUrl: this.config.publicUrl });
    const { id, version } = link;
    await appendEvent(tx, checkoutLinkChangedV1, {
      aggregateId: id,
      aggregateSeq: version,
      payload: {
        id,
        version,
        deleted: false,
        state: { id, slug: link.slug, isEnabled: link.isEnabled },
        notices: isNew
          ? [
              {
                type: 'checkout_link.created',
                objectId: id,
                data: { checkoutLink: json },
                customerId: null,
                activity: null,
              },
            ]
          : [],
      },
    });
    return json;
  }
}

/** @throws DomainError `validation_failed` */
function fieldsOf(body: CheckoutLinkDto, id: string, slug: string | null = null) {
  const wanted = body.options ?? {};
  const options: LinkOptions = {
    trialDays: wanted.trialDays ?? 0,
    allowCoupons: wanted.allowCoupons ?? true,
    quantityEditable: wanted.quantityEditable ?? false,
    minQuantity: wanted.minQuantity ?? null,
    maxQuantity: wanted.maxQuantity ?? null,
    forceCompany: wanted.forceCompany ?? false,
  };
  if (
    options.minQuantity !== null &&
    options.maxQuantity !== null &&
    Number(options.minQuantity) > Number(options.maxQuantity)
  )
    throw validationFailed('options.maxQuantity', 'maxQuantity must not be below minQuantity.', 'contradiction');
  const enabledFrom = body.enabledFrom ? new Date(body.enabledFrom) : null;
  const enabledUntil = body.enabledUntil ? new Date(body.enabledUntil) : null;
  if (enabledFrom && enabledUntil && enabledUntil <= enabledFrom)
    throw validationFailed('enabledUntil', 'enabledUntil must be later than enabledFrom.', 'not_later');
  return {
    slug: body.slug ?? slug ?? id.slice(-12),
    name: body.name ?? null,
    items: readItems(body.items, options),
    options,
    afterCheckout: {
      url: body.afterCheckout?.url ?? null,
      confirmationMessage: body.afterCheckout?.confirmationMessage ?? null,
    },
    page: readPage(body),
    maxSales: body.maxSales ?? null,
    enabledFrom,
    enabledUntil,
    isEnabled: body.isEnabled ?? true,
  };
}

async function refuseTaken(tx: TenantTx, { id, slug }: CheckoutLinkRow): Promise<void> {
  // One at a time per slug: the unique key would end the transaction without a reason.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`slug ${tx.tenantId} ${slug}`]);
  const [other] = await checkoutLinks.find(tx, { slug });
  if (other && other.id !== id) {
    const message = 'Another link has this slug.';
    throw new DomainError('already_exists', {
      detail: message,
      violations: [{ propertyPath: 'slug', message, code: 'already_exists' }],
    });
  }
}
