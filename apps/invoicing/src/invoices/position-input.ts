import { Injectable } from '@nestjs/common';
import { DomainError, newUuid, type Tx, unknownReference, validationFailed } from '@kontor/kernel';
import { fromUnitPriceJson, isSafeAmount } from '@kontor/money';
import { Replicas } from '@kontor/persistence';
import type { PositionRow } from '../db/position.row.js';
import type { ChildPositionDto, GroupInput, PositionDto } from './invoice.dto.js';
import type { TaxGroupCopy } from './invoice-world.js';
import { unpricedPosition } from './save-drafts.js';

const POLL_MS = 50;
const LONGEST_WAIT_MS = 2000;

interface ProductCopy {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
  readonly invoiceVisibility: string;
  readonly customFields: Record<string, string> | null;
  readonly isGood?: boolean;
  readonly taxGroup?: { id: string } | null;
  readonly unit?: { id: string; name: string } | null;
}

/** Where new positions go: behind `after` others of the document, below `parentId` or at the top. */
export interface PositionPlace {
  readonly invoiceId: string;
  readonly after: number;
  readonly parentId?: string | null;
  /** Headlines that the document has already. */
  readonly existing: readonly PositionRow[];
}

interface Known {
  readonly units: ReadonlyMap<string, { id: string; name: string }>;
  readonly products: ReadonlyMap<string, ProductCopy>;
  readonly taxGroups: readonly TaxGroupCopy[];
}

/** Turns positions of a request into rows, with everything that they refer to looked up. */
@Injectable()
export class PositionInput {
  constructor(private readonly replicas: Replicas) {}

  /** @throws DomainError 422 `unknown_reference`, `currency_mismatch`, `validation_failed`. */
  async read(tx: Tx, given: readonly PositionDto[], place: PositionPlace, path = 'positions'): Promise<PositionRow[]> {
    const flat = given.flatMap((position) => [position, ...(position.children ?? [])]);
    const known: Known = {
      units: await this.replicas.getMany(tx, 'unit', ids(flat, 'unit')),
      products: await this.replicas.getMany(tx, 'product', ids(flat, 'product')),
      taxGroups: await this.taxGroups(tx, flat),
    };
    const rows: PositionRow[] = [];
    const headlines = new Headlines(place.existing);
    const push = (dto: ChildPositionDto, at: string, parentId: string | null, group: GroupInput | null): PositionRow => {
      const row = position(tx, dto, at, known, {
        invoiceId: place.invoiceId,
        ordinal: place.after + rows.length + 1,
        parentId,
        group: group === null ? null : headlines.find(group),
      });
      rows.push(row);
      return row;
    };
    given.forEach((dto, index) => {
      const at = path === '' ? '' : `${path}[${index}].`;
      const row = push(dto, at, place.parentId ?? null, dto.group ?? null);
      (dto.children ?? []).forEach((child, i) => push(child, `${at}children[${i}].`, row.id, null));
    });
    return rows;
  }

  private async taxGroups(tx: Tx, flat: readonly ChildPositionDto[]): Promise<TaxGroupCopy[]> {
    const named = await this.replicas.getMany<TaxGroupCopy>(tx, 'tax_group', ids(flat, 'taxGroup'));
    const all = await this.all(tx);
    return [...named.values(), ...all.filter((group) => !named.has(group.id))];
  }

  /** A tenant that was created a moment ago gets its tax groups any moment: they are waited for, rather than refusing the first invoice. */
  private async all(tx: Tx): Promise<TaxGroupCopy[]> {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const groups = await this.replicas.all<TaxGroupCopy>(tx, 'tax_group');
      if (groups.length > 0 || waitedMs >= LONGEST_WAIT_MS) return groups;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

const ids = (flat: readonly ChildPositionDto[], field: 'unit' | 'product' | 'taxGroup'): string[] =>
  flat.map((position) => position[field]).filter((id): id is string => typeof id === 'string');

interface Placed {
  readonly invoiceId: string;
  readonly ordinal: number;
  readonly parentId: string | null;
  readonly group: Headline | null;
}

function position(tx: Tx, dto: ChildPositionDto, at: string, known: Known, placed: Placed): PositionRow {
  const product = reference(dto.product, known.products, `${at}product`, 'product');
  const unit = reference(dto.unit, known.units, `${at}unit`, 'unit') ?? product?.unit ?? null;
  const price = fromUnitPriceJson(dto.unitPrice, dto.unitPrice.currencyCode);
  const serviceFrom = dto.serviceDateFrom ? new Date(dto.serviceDateFrom) : null;
  const serviceLast = dto.serviceDateTo ? new Date(dto.serviceDateTo) : null;
  if (serviceFrom && serviceLast && serviceLast < serviceFrom)
    throw validationFailed(`${at}serviceDateTo`, 'The service period ends before it begins.', 'out_of_range');
  return unpricedPosition(tx.tenantId, {
    id: newUuid(),
    invoiceId: placed.invoiceId,
    ordinal: placed.ordinal,
    parentId: placed.parentId,
    groupId: placed.group?.id ?? null,
    groupName: placed.group?.name ?? null,
    groupRanking: placed.group?.ranking ?? null,
    type: dto.type ?? 'product',
    name: dto.name,
    description: dto.description ?? null,
    quantity: dto.quantity ?? '1',
    unitId: unit?.id ?? null,
    unitName: unit?.name ?? null,
    priceAmount: price.amount,
    pricePrecision: price.precision,
    priceCurrencyCode: price.currencyCode,
    ratedNetMinor: null,
    ratedDiscountMinor: null,
    discountPercentage: dto.discountPercentage ?? null,
    discountFixedMinor: fixedDiscount(dto, at),
    taxGroupId: taxGroupOf(dto, product, known, at),
    isGood: product?.isGood ?? false,
    product: product && shownProduct(product),
    subscriptionItem: null,
    subscription: null,
    chargeId: null,
    serviceFrom,
    serviceLast,
    createdAt: tx.now,
  });
}

function reference<T>(id: string | null | undefined, known: ReadonlyMap<string, T>, path: string, what: string): T | null {
  if (id === null || id === undefined) return null;
  const found = known.get(id);
  if (!found) throw unknownReference(path, what);
  return found;
}

function fixedDiscount(dto: ChildPositionDto, at: string): bigint | null {
  const fixed = dto.discountFixed;
  if (fixed === null || fixed === undefined) return null;
  if (dto.discountPercentage !== null && dto.discountPercentage !== undefined) {
    throw validationFailed(`${at}discountFixed`, 'Give the discount as an amount or as a percentage, not both.', 'either_or');
  }
  if (fixed.currencyCode !== dto.unitPrice.currencyCode) {
    const message = `The discount must be in ${dto.unitPrice.currencyCode}, like the price.`;
    throw new DomainError('currency_mismatch', {
      detail: message,
      violations: [{ propertyPath: `${at}discountFixed.currencyCode`, message, code: 'currency_mismatch' }],
    });
  }
  const minor = BigInt(fixed.amount);
  if (minor < 0n || !isSafeAmount(minor))
    throw validationFailed(`${at}discountFixed.amount`, 'A discount must not be negative.', 'out_of_range');
  return minor;
}

function taxGroupOf(dto: ChildPositionDto, product: ProductCopy | null, known: Known, at: string): string {
  const wanted = dto.taxGroup ?? product?.taxGroup?.id;
  const group = wanted ? known.taxGroups.find((one) => one.id === wanted) : known.taxGroups.find((one) => one.type === 'standard');
  if (!group) throw unknownReference(`${at}taxGroup`, 'tax group');
  return group.id;
}

const shownProduct = ({ type, id, name, description, invoiceVisibility, customFields }: ProductCopy): Record<string, unknown> => ({
  type,
  id,
  name,
  description,
  invoiceVisibility,
  customFields,
});

interface Headline {
  readonly id: string;
  readonly name: string;
  readonly ranking: number;
}

/** The headlines of a document: one per name, ranked as given or in order of appearance. */
class Headlines {
  private readonly known: Headline[] = [];

  constructor(existing: readonly PositionRow[]) {
    for (const { groupId: id, groupName: name, groupRanking: ranking } of existing) {
      if (id !== null && !this.known.some((one) => one.id === id)) this.known.push({ id, name: name ?? '', ranking: ranking ?? 0 });
    }
  }

  find(given: GroupInput): Headline {
    const { name, ranking, id } = typeof given === 'string' ? { name: given, ranking: null, id: null } : given;
    const known = this.known.find((one) => (id ? one.id === id : one.name === name));
    if (known) return known;
    const headline = { id: newUuid(), name, ranking: ranking ?? Math.max(0, ...this.known.map((one) => one.ranking)) + 1 };
    this.known.push(headline);
    return headline;
  }
}
