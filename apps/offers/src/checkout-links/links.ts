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
import { readPage, representPage } from './link-page.js';

/** Page at which a link sells. */
export const CHECKOUT_PATH = '/public/checkout/links';

const COLUMNS = { slug: 'slug', createdAt: 'created_at' } as const;

/** Creates, replaces, deletes and shows checkout links. */
@Injectable()
export class CheckoutLinks {
  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

  /** @throws DomainError `already_exists` (slug), `validation_failed` */
  create(tenantId: string, body: CheckoutLinkDto): Promise<CheckoutLinkJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const id = newUuid();
      const link = Object.assign(new CheckoutLinkRow(), {
        tenantId,
        id,
        version: 0,
        sold: 0,
        createdAt: tx.now,
        ...fieldsOf(body, id),
      });
      await refuseTaken(tx, link);
      return this.save(tx, link, true);
    });
  }

  /** Carts that were begun keep what they have. @throws DomainError `not_found`, `already_exists`, `validation_failed` */
  replace(tenantId: string, id: string, body: CheckoutLinkDto): Promise<CheckoutLinkJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const link = await checkoutLinks.get(tx, id, { lock: 'update' });
      if (!link) throw notFound('The checkout link');
      Object.assign(link, fieldsOf(body, id, link.slug));
      if (link.maxSales !== null && link.maxSales < link.sold)
        throw validationFailed('maxSales', `${link.sold} have been sold already.`, 'contradiction');
      await refuseTaken(tx, link);
      return this.save(tx, link, false);
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

  get(tenantId: string, id: string): Promise<CheckoutLinkJson> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const link = await checkoutLinks.get(tx, id);
        if (!link) throw notFound('The checkout link');
        return this.represent(link);
      },
      { readOnly: true },
    );
  }

  list(tenantId: string, list: ListQuery): Promise<Page<CheckoutLinkJson>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, { table: checkoutLinks, columns: COLUMNS });
        return page(
          rows.map((link) => this.represent(link)),
          total,
          list,
        );
      },
      { readOnly: true },
    );
  }

  represent(link: CheckoutLinkRow): CheckoutLinkJson {
    return {
      id: link.id,
      slug: link.slug,
      name: link.name,
      url: `${this.config.publicUrl}${CHECKOUT_PATH}/${link.id}/${link.slug}`,
      items: link.items.map((item) => ({ ...item })),
      options: { ...link.options },
      afterCheckout: { ...link.afterCheckout },
      ...representPage(link.page),
      maxSales: link.maxSales,
      sold: link.sold,
      enabledFrom: link.enabledFrom?.toISOString() ?? null,
      enabledUntil: link.enabledUntil?.toISOString() ?? null,
      isEnabled: link.isEnabled,
      createdAt: link.createdAt.toISOString(),
      updatedAt: link.updatedAt.toISOString(),
    };
  }

  private async save(tx: TenantTx, link: CheckoutLinkRow, isNew: boolean): Promise<CheckoutLinkJson> {
    link.version += 1;
    link.updatedAt = tx.now;
    if (isNew) await checkoutLinks.insert(tx, link);
    else await checkoutLinks.update(tx, link);
    const json = this.represent(link);
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
