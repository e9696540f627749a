import { DomainError, newUuid, type Tx, unknownReference, validationFailed } from '@kontor/kernel';
import { fromUnitPriceJson, isSafeAmount } from '@kontor/money';
import type { PositionRow } from '../db/position.row.js';
import type { Headline } from '../domain/drafts/headlines.js';
import { unpricedPosition } from '../invoices/new-rows.js';
import type { TaxGroupCopy } from '../invoices/represent-invoice.js';
import type { ChildPositionDto } from './draft.dto.js';

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

/** What positions of a request refer to, as copied from billing. */
export interface ReferencedCopies {
  readonly units: ReadonlyMap<string, { id: string; name: string }>;
  readonly products: ReadonlyMap<string, ProductCopy>;
  readonly taxGroups: readonly TaxGroupCopy[];
}

export interface PlacedPosition {
  readonly invoiceId: string;
  readonly ordinal: number;
  readonly parentId: string | null;
  readonly group: Headline | null;
}

/** A position of a request as a row, not yet priced. `at` is its path in the request. */
export function newPosition(
  tx: Tx,
  dto: ChildPositionDto,
  at: string,
  known: ReferencedCopies,
  placed: PlacedPosition,
): PositionRow {
  const product = reference(dto.product, known.products, `${at}product`, 'product');
  const unit = reference(dto.unit, known.units, `${at}unit`, 'unit') ?? product?.unit ?? null;
  const price = fromUnitPriceJson(dto.unitPrice, dto.unitPrice.currencyCode);
  const serviceFrom = dto.serviceDateFrom ? new Date(dto.serviceDateFrom) : null;
  const serviceLast = dto.serviceDateTo ? new Date(dto.serviceDateTo) : null;
  if (serviceFrom && serviceLast && serviceLast < serviceFrom)
    throw validationFailed(`${at}serviceDateTo`, 'The service period ends before it begins.', 'out_of_range');
  return unpricedPosition({
    tenantId: tx.tenantId,
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
    discountPercentage: dto.discountPercentage ?? null,
    discountFixedMinor: fixedDiscount(dto, at),
    taxGroupId: taxGroupOf(dto, product, known, at),
    isGood: product?.isGood ?? false,
    product: product && shownProduct(product),
    serviceFrom,
    serviceLast,
    createdAt: tx.now,
  });
}

function reference<T>(
  id: string | null | undefined,
  known: ReadonlyMap<string, T>,
  path: string,
  what: string,
): T | null {
  if (id === null || id === undefined) return null;
  const found = known.get(id);
  if (!found) throw unknownReference(path, what);
  return found;
}

function fixedDiscount(dto: ChildPositionDto, at: string): bigint | null {
  const fixed = dto.discountFixed;
  if (fixed === null || fixed === undefined) return null;
  if (dto.discountPercentage !== null && dto.discountPercentage !== undefined) {
    throw validationFailed(
      `${at}discountFixed`,
      'Give the discount as an amount or as a percentage, not both.',
      'either_or',
    );
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

function taxGroupOf(dto: ChildPositionDto, product: ProductCopy | null, known: ReferencedCopies, at: string): string {
  const named = dto.taxGroup ?? product?.taxGroup?.id;
  const group = named
    ? known.taxGroups.find((candidate) => candidate.id === named)
    : known.taxGroups.find((candidate) => candidate.type === 'standard');
  if (!group) throw unknownReference(`${at}taxGroup`, 'tax group');
  return group.id;
}

const shownProduct = ({
  type,
  id,
  name,
  description,
  invoiceVisibility,
  customFields,
}: ProductCopy): Record<string, unknown> => ({
  type,
  id,
  name,
  description,
  invoiceVisibility,
  customFields,
});
