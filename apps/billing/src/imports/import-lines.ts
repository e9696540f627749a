import { DomainError } from '@kontor/kernel';
import type { PartResult, TenantTx } from '@kontor/persistence';
import { readDto } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { ImportLineRow, ImportRow } from '../db/import.row.js';
import { alreadyExists, refusingDuplicates } from '../db/constraints.js';
import { type Importer, Importers } from './importers.js';
import { refusalOf } from './refusal.js';
import { bodyOfCells } from './read-line.js';

interface Wanted {
  readonly line: ImportLineRow;
  readonly raw: Record<string, unknown>;
  readonly body: object;
}

/** Columns whose values are there once in a tenant, whatever imports them. */
const UNIQUE = ['customerNumber', 'externalId'] as const;
const CONSTRAINTS = { subscription_external_id_unique: 'externalId' };

/** What becomes of some lines of an import: their rows say it, in a dry run nothing else does. */
@Injectable()
export class ImportLines {
  constructor(private readonly importers: Importers) {}

  async execute(tx: TenantTx, { id, kind, dryRun }: ImportRow, lines: readonly ImportLineRow[]): Promise<void> {
    const importer = this.importers.of(kind);
    const wanted = await this.read(tx, importer, lines);
    const fresh = dryRun ? await this.refuseRepeats(tx, id, wanted) : wanted;
    const results = await this.create(tx, importer, fresh, dryRun);
    for (const [n, { line }] of fresh.entries()) {
      const result = results[n]!;
      if (result.status === 'rejected') refuse(line, result.reason);
      else Object.assign(line, dryRun ? { status: 'valid' } : { status: 'imported', objectId: result.value.id });
    }
  }

  /** Lines that can be read; the others have their refusal. */
  private async read(tx: TenantTx, importer: Importer, lines: readonly ImportLineRow[]): Promise<Wanted[]> {
    const read = lines.flatMap((line) => {
      try {
        return [{ line, raw: bodyOfCells(importer, line.cells) }];
      } catch (error) {
        refuse(line, error);
        return [];
      }
    });
    await importer.resolve?.(
      tx,
      read.map(({ raw }) => raw),
    );
    return read.flatMap(({ line, raw }) => {
      try {
        return [{ line, raw, body: readDto(importer.body, raw) }];
      } catch (error) {
        refuse(line, error);
        return [];
      }
    });
  }

  /** All together; when that fails, each by itself. Nothing of a dry run stays. */
  private async create(
    tx: TenantTx,
    importer: Importer,
    wanted: readonly Wanted[],
    dryRun: boolean,
  ): Promise<PartResult<{ readonly id: string }>[]> {
    if (wanted.length === 0) return [];
    const isAlone = wanted.length > 1 && wanted.some(({ body }) => importer.isAlone?.(body));
    const together = isAlone ? null : await this.attempt(tx, importer, wanted, dryRun);
    if (together) return together;
    const results: PartResult<{ readonly id: string }>[] = [];
    for (const line of wanted) results.push(...(await this.create(tx, importer, [line], dryRun)));
    return results;
  }

  /** Null: they failed together, and nothing is done. */
  private async attempt(
    tx: TenantTx,
    importer: Importer,
    wanted: readonly Wanted[],
    dryRun: boolean,
  ): Promise<PartResult<{ readonly id: string }>[] | null> {
    const bodies = wanted.map(({ body }) => body);
    await tx.query('SAVEPOINT import_lines');
    try {
      const results = await refusingDuplicates(CONSTRAINTS, () => importer.create(tx, bodies));
      const stays = !dryRun && results.some(({ status }) => status === 'fulfilled');
      await tx.query(stays ? 'RELEASE SAVEPOINT import_lines' : 'ROLLBACK TO SAVEPOINT import_lines');
      return results;
    } catch (error) {
      await tx.query('ROLLBACK TO SAVEPOINT import_lines');
      if (wanted.length > 1) return null;
      if (error instanceof DomainError) return [{ status: 'rejected', reason: error }];
      throw error;
    }
  }

  /** In a dry run nothing stays of earlier lines: what repeats a number of theirs is found here. */
  private async refuseRepeats(tx: TenantTx, importId: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
    let left = [...wanted];
    for (const column of UNIQUE) {
      const values = left.flatMap(({ line }) => line.cells[column] || []);
      if (values.length === 0) continue;
      const rows = await tx.query<{ value: string }>(
        `SELECT cells ->> $3 AS value FROM import_line
         WHERE tenant_id = $1 AND import_id = $2 AND status = 'valid' AND cells ->> $3 = ANY($4::text[])`,
        [tx.tenantId, importId, column, values],
      );
      const seen = new Set(rows.map(({ value }) => value));
      left = left.filter(({ line }) => {
        const value = line.cells[column];
        if (!value) return true;
        if (seen.has(value)) refuse(line, alreadyExists(column));
        return !seen.has(value) && seen.add(value);
      });
    }
    return left;
  }
}

function refuse(line: ImportLineRow, error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
  Object.assign(line, { status: 'failed', ...refusalOf(error) });
}
