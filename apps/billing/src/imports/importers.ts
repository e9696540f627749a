import { isUuid, newUuid, unknownReference } from '@kontor/kernel';
import { type PartResult, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { ProductDto } from '../catalogue/catalogue.dto.js';
import { PricePlanDto } from '../catalogue/price-plan.dto.js';
import type { CatalogueResource, CatalogueRow } from '../catalogue/catalogue-resource.js';
import { createCatalogueObject } from '../catalogue/create-catalogue-object.js';
import { pricePlans } from '../catalogue/price-plans.resource.js';
import { products } from '../catalogue/products.resource.js';
import { CreateCustomer } from '../customers/create-customer.js';
import { CreateCustomerDto } from '../customers/customer.dto.js';
import type { ImportKind } from '../db/import.row.js';
import { CreateSubscription, namesCoupon } from '../subscriptions/create-subscription.js';
import { NewSubscriptionDto } from '../subscriptions/subscription.dto.js';

type Body = Record<string, unknown>;

/** How lines of one kind become objects. */
export interface Importer {
  /** Class of the body that a line stands for. */
  readonly body: new () => object;
  /** Columns beside the fields of the body. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Puts ids in the place of what people call things by. */
  resolve?(tx: TenantTx, bodies: readonly Body[]): Promise<void>;
  /** What writes before all is decided is alone in its attempt. */
  isAlone?(body: object): boolean;
  /** Each by itself: refused, or there. Throws what concerns all of them; then they are tried one by one. */
  create(tx: TenantTx, bodies: readonly object[]): Promise<PartResult<{ readonly id: string }>[]>;
}

/** The importers by what they import. */
@Injectable()
export class Importers {
  private readonly byKind: Readonly<Record<ImportKind, Importer>>;

  constructor(customers: CreateCustomer, subscriptions: CreateSubscription, replicas: Replicas) {
    this.byKind = {
      customers: {
        body: CreateCustomerDto,
        create: (tx, bodies) => customers.createMany(tx, bodies as CreateCustomerDto[]),
      },
      products: { body: ProductDto, create: (tx, bodies) => oneByOne(tx, products, bodies as ProductDto[]) },
      'price-plans': {
        body: PricePlanDto,
        resolve: (tx, bodies) => resolveAll(tx, bodies, 'product', PRODUCT),
        create: (tx, bodies) => oneByOne(tx, pricePlans(replicas), bodies as PricePlanDto[]),
      },
      subscriptions: {
        body: NewSubscriptionDto,
        aliases: { pricePlan: 'items.0.pricePlan', quantity: 'items.0.quantity' },
        resolve: async (tx, bodies) => {
          await resolveAll(tx, bodies, 'customer', CUSTOMER);
          await resolveAll(tx, bodies, 'plan', PLAN);
        },
        isAlone: (body) => namesCoupon(body as NewSubscriptionDto),
        create: (tx, bodies) => subscriptions.createMany(tx, bodies as NewSubscriptionDto[]),
      },
    };
  }

  of(kind: ImportKind): Importer {
    return this.byKind[kind];
  }
}

/** What people call things by: several columns, of which the first that matches one object names it. */
const CUSTOMER = `SELECT id, customer_number AS name, 2 AS rank FROM customer WHERE tenant_id = $1 AND customer_number = ANY($2::text[])
  UNION ALL SELECT id, external_id, 1 FROM customer WHERE tenant_id = $1 AND external_id = ANY($2::text[])`;
const PLAN = 'SELECT id, code AS name, 1 AS rank FROM plan WHERE tenant_id = $1 AND code = ANY($2::text[])';
const PRODUCT =
  'SELECT id, product_number AS name, 1 AS rank FROM product WHERE tenant_id = $1 AND product_number = ANY($2::text[])';

async function resolveAll(tx: TenantTx, bodies: readonly Body[], field: string, sql: string): Promise<void> {
  const names = bodies.flatMap((body) => {
    const name = body[field];
    return typeof name === 'string' && !isUuid(name) ? [name] : [];
  });
  if (names.length === 0) return;
  const rows = await tx.query<{ id: string; name: string }>(
    `SELECT id, name FROM (${sql}) x ORDER BY rank DESC, id DESC`,
    [tx.tenantId, [...new Set(names)]],
  );
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  for (const body of bodies) {
    const name = body[field];
    // An id that nothing has: refused as an unknown reference, like any other.
    if (typeof name === 'string' && !isUuid(name)) body[field] = ids.get(name) ?? newUuid();
  }
}

async function oneByOne<R extends CatalogueRow, B extends object>(
  tx: TenantTx,
  resource: CatalogueResource<R, B>,
  bodies: readonly B[],
): Promise<PartResult<{ id: string }>[]> {
  const results: PartResult<{ id: string }>[] = [];
  for (const body of bodies) {
    const created = await createCatalogueObject(tx, resource, body);
    if (typeof created['id'] !== 'string') throw unknownReference('id');
    results.push({ status: 'fulfilled', value: { id: created['id'] } });
  }
  return results;
}
