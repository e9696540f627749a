import { Injectable } from '@nestjs/common';
import { DomainError, newUuid, type Tx } from '@kontor/kernel';
import { Replicas } from '@kontor/persistence';
import type { PositionRow } from '../db/position.row.js';
import { type HeadlineInput, Headlines } from '../domain/drafts/headlines.js';
import type { TaxGroupCopy } from '../invoices/represent-invoice.js';
import type { ChildPositionDto, PositionDto } from './draft.dto.js';
import { newPosition, type ReferencedCopies } from './new-position.js';

/** Positions that a document gets by requests, children included. A billing run knows no such limit. */
export const MAX_POSITIONS = 1000;

/** @throws DomainError 422 `too_many_positions` when a document that had `before` positions grows beyond the limit. */
export function mustHaveRoom(before: number, after: number): void {
  if (after <= MAX_POSITIONS || after <= before) return;
  throw new DomainError('too_many_positions', {
    detail: `A document has at most ${MAX_POSITIONS} positions, those below others included; it would have ${after}.`,
  });
}

/** Where new positions go: behind `after` others of the document, below `parentId` or at the top. */
export interface PositionPlace {
  readonly invoiceId: string;
  readonly after: number;
  readonly parentId?: string | null;
  /** Headlines that the document has already. */
  readonly existing: readonly PositionRow[];
}

/** Turns positions of a request into rows, with everything that they refer to looked up. */
@Injectable()
export class PositionInput {
  constructor(private readonly replicas: Replicas) {}

  /** @throws DomainError 422 `too_many_positions`, `unknown_reference`, `currency_mismatch`, `validation_failed`. */
  async read(tx: Tx, given: readonly PositionDto[], place: PositionPlace, path = 'positions'): Promise<PositionRow[]> {
    const flat = given.flatMap((position) => [position, ...(position.children ?? [])]);
    mustHaveRoom(place.after, place.existing.length + flat.length);
    const known: ReferencedCopies = {
      units: await this.replicas.getMany(tx, 'unit', ids(flat, 'unit')),
      products: await this.replicas.getMany(tx, 'product', ids(flat, 'product')),
      taxGroups: await this.taxGroups(tx, flat),
    };
    const rows: PositionRow[] = [];
    const headlines = new Headlines(place.existing, newUuid);
    const push = (
      dto: ChildPositionDto,
      at: string,
      parentId: string | null,
      group: HeadlineInput | null,
    ): PositionRow => {
      const row = newPosition(tx, dto, at, known, {
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
    const all = await this.replicas.allUntil<TaxGroupCopy>(tx, 'tax_group', (groups) =>
      groups.some(({ type }) => type === 'standard'),
    );
    return [...named.values(), ...all.filter((group) => !named.has(group.id))];
  }
}

const ids = (flat: readonly ChildPositionDto[], field: 'unit' | 'product' | 'taxGroup'): string[] =>
  flat.map((position) => position[field]).filter((id): id is string => typeof id === 'string');
