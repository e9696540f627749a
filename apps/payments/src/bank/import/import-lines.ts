import { createHash } from 'node:crypto';
import { bankImportCompletedV1 } from '@kontor/contracts';
import { newUuid, unknownReference } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { cancelDue, Database, type NewRow, scheduleDue, type TenantTx } from '@kontor/persistence';
import { inTurns } from '@kontor/service-kit';
import { Injectable, Logger } from '@nestjs/common';
import { lineImported } from '../../domain/bank/bank-postings.js';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { checkEntry, RefusedEntry } from '../../domain/bank/import/check-entry.js';
import { KnownEntries } from '../../domain/bank/import/known-entries.js';
import { type EntryIdentity, fingerprintText, identityOf } from '../../domain/bank/import/same-entry.js';
import type { RawStatement, StatementEntry, StatementFormat } from '../../domain/bank/import/statement.js';
import { bookAll } from '../../ledger/index.js';
import { type BankAccount, bankAccounts } from '../accounts/bank-account.row.js';
import { bankEntries, type BankEntryRow } from './bank-entry.row.js';
import { bankImports } from './bank-import.row.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { MATCH_BANK } from '../../due-kinds.js';
import { MatchLines } from '../matching/match-lines.js';
import { refuseForeignAccount } from './statement-account.js';

/** What was wrong with one entry; the others are imported. */
export interface ImportError {
  /** Place in the list or file, from 0. */
  readonly index: number;
  readonly entry: string;
  readonly reference: string | null;
  readonly code: string;
  readonly message: string;
}

/** What a request wants to import. */
export interface WantedImport {
  readonly bankAccountId: string;
  readonly format: StatementFormat;
  readonly statements: readonly RawStatement[];
  /** Items of the request that cannot be read. */
  readonly refused: readonly ImportError[];
}

export interface ImportResult {
  readonly imported: number;
  readonly duplicates: number;
  readonly failed: number;
  readonly errors: readonly ImportError[];
}

interface FreshEntry {
  readonly id: string;
  readonly identity: EntryIdentity;
  readonly entry: StatementEntry;
}

const MAX_ERRORS = 1000;
const CHUNK = 1000;
/** An import whose process died is matched by another one after so long, in real time. What both look at, one of them books. */
const TAKE_OVER_MS = 15_000;

/**
 * Imports what a bank says about an account: each entry once, whatever file it comes in; then finds out what it is for.
 */
@Injectable()
export class ImportLines {
  private readonly logger = new Logger(ImportLines.name);

  constructor(
    private readonly database: Database,
    private readonly matching: MatchLines,
  ) {}

  /** @throws DomainError `unknown_reference` (bankAccountId), `account_mismatch`. */
  async execute(tenantId: string, wanted: WantedImport): Promise<ImportResult> {
    const importId = newUuid();
    const result = await this.database.tenant(tenantId, (tx) => this.store(tx, importId, wanted));
    try {
      await this.matching.import(tenantId, importId);
      await this.database.tenant(tenantId, (tx) => cancelDue(tx, MATCH_BANK, importId));
    } catch (error) {
      // The statement is in; what is not matched yet is so by the due work.
      this.logger.warn(`import ${importId} is matched later: ${String(error)}`);
    }
    return result;
  }

  /** All of it or nothing; the account's row keeps two imports from taking the same entry. */
  private async store(
    tx: TenantTx,
    importId: string,
    { bankAccountId, format, statements, refused }: WantedImport,
  ): Promise<ImportResult> {
    const account = await bankAccounts.get(tx, bankAccountId, { lock: 'update' });
    if (!account) throw unknownReference('bankAccountId', 'bank account');
    for (const statement of statements) refuseForeignAccount(account, statement);
    const errors: ImportError[] = [...refused];
    const checked = await inTurns(checkAll({ statements, format }, account.currencyCode, errors));
    errors.sort((a, b) => a.index - b.index);
    const { fresh, duplicates, stored } = await this.sortOut(tx, account, checked);
    const lines = await inTurns(linesOfAll(fresh, { bankAccountId, importId, createdAt: tx.now }));
    await this.save(tx, fresh, lines, stored, { bankAccountId, importId, format });
    const result = { imported: lines.length, duplicates, failed: errors.length, errors: errors.slice(0, MAX_ERRORS) };
    await this.publish(tx, account, importId, format, result);
    if (lines.length > 0)
      await scheduleDue(tx, {
        kind: MATCH_BANK,
        ref: importId,
        dueAt: new Date(Date.now() + TAKE_OVER_MS),
        wall: true,
      });
    return result;
  }

  private async sortOut(tx: TenantTx, account: BankAccount, statements: readonly (readonly FreshEntry[])[]) {
    const entries = statements.flatMap((some) => some.map(({ entry }) => entry));
    // What is of another day or amount is another booking: of an account's years these few are read.
    const days = [...new Set(entries.map(({ bookingDay }) => bookingDay))];
    const amounts = [...new Set(entries.map(({ amountMinor }) => String(amountMinor)))];
    const stored = await bankEntries.where(
      tx,
      'bank_account_id = $2 AND booking_day = ANY ($3::text[]) AND amount_minor = ANY ($4::bigint[])',
      [account.id, days, amounts],
    );
    return { ...(await inTurns(takeNew(new KnownEntries(stored), statements))), stored };
  }

  private async save(
    tx: TenantTx,
    fresh: readonly FreshEntry[],
    lines: readonly BankTransaction[],
    stored: readonly BankEntryRow[],
    place: { bankAccountId: string; importId: string; format: StatementFormat },
  ): Promise<void> {
    const counts = new Map<string, number>();
    for (const { fingerprint, occurrence } of stored)
      counts.set(fingerprint, Math.max(occurrence, counts.get(fingerprint) ?? 0));
    const rowOf = ({ id, identity }: FreshEntry): NewRow<BankEntryRow> => {
      const fingerprint = createHash('sha256').update(fingerprintText(identity)).digest('base64url');
      const occurrence = (counts.get(fingerprint) ?? 0) + 1;
      counts.set(fingerprint, occurrence);
      return { ...identity, ...place, id, fingerprint, occurrence };
    };
    for (let at = 0; at < fresh.length; at += CHUNK)
      await bankEntries.insert(tx, fresh.slice(at, at + CHUNK).map(rowOf));
    for (let at = 0; at < lines.length; at += CHUNK) {
      const some = lines.slice(at, at + CHUNK);
      await bankTransactions.insert(tx, some);
      await bookAll(tx, tx.tenantId, tx.now, some.map(lineImported));
    }
  }

  private async publish(
    tx: TenantTx,
    account: BankAccount,
    importId: string,
    format: StatementFormat,
    result: ImportResult,
  ): Promise<void> {
    const { imported, duplicates, failed } = result;
    await bankImports.insert(tx, {
      id: importId,
      bankAccountId: account.id,
      format,
      imported,
      duplicates,
      failed,
      createdAt: tx.now,
    });
    const metadata = {
      kind: 'bank_statement',
      importId,
      bankAccountId: account.id,
      iban: account.iban,
      imported,
      duplicates,
      failed,
    };
    await appendEvent(tx, bankImportCompletedV1, {
      aggregateId: importId,
      aggregateSeq: 1,
      payload: {
        id: importId,
        version: 1,
        deleted: false,
        state: { id: importId, bankAccountId: account.id, format, imported, duplicates, failed },
        notices: [
          {
            type: 'import.completed',
            objectId: importId,
            data: { import: metadata },
            customerId: null,
            activity: { metadata },
          },
        ],
      },
    });
  }
}

/** Entries statement by statement; what is wrong goes to `errors`. */
function* checkAll(
  { statements, format }: Pick<WantedImport, 'statements' | 'format'>,
  currencyCode: string,
  errors: ImportError[],
): Generator<void, FreshEntry[][]> {
  const checked: FreshEntry[][] = [];
  let index = -1;
  for (const { entries } of statements) {
    const fresh: FreshEntry[] = [];
    checked.push(fresh);
    for (const raw of entries) {
      yield;
      index += 1;
      try {
        const entry = checkEntry(raw, currencyCode);
        const id = newUuid();
        fresh.push({ id, entry, identity: identityOf(id, entry, format) });
      } catch (error) {
        if (!(error instanceof RefusedEntry)) throw error;
        const reference = raw.details[0]?.reference ?? raw.bankReference;
        errors.push({
          index: raw.index ?? index,
          entry: raw.name,
          reference,
          code: error.code,
          message: error.message,
        });
      }
    }
  }
  return checked;
}

/** Those that were not known, and how many lines the others have. */
function* takeNew(
  known: KnownEntries,
  statements: readonly (readonly FreshEntry[])[],
): Generator<void, { fresh: FreshEntry[]; duplicates: number }> {
  const fresh: FreshEntry[] = [];
  let duplicates = 0;
  for (const entries of statements) {
    const taken = yield* known.takeNew(entries.map(({ identity }) => identity));
    for (const entry of entries) {
      if (taken.has(entry.id)) fresh.push(entry);
      else duplicates += entry.entry.lines.length;
    }
  }
  return { fresh, duplicates };
}

type Place = Pick<BankTransaction, 'entryId' | 'bankAccountId' | 'importId' | 'createdAt'>;

function* linesOfAll(fresh: readonly FreshEntry[], place: Omit<Place, 'entryId'>): Generator<void, BankTransaction[]> {
  const lines: BankTransaction[] = [];
  for (const { id, entry } of fresh) {
    for (const line of linesOf(entry, { ...place, entryId: id })) lines.push(line);
    yield;
  }
  return lines;
}

const linesOf = (entry: StatementEntry, place: Place): BankTransaction[] =>
  entry.lines.map((line) => ({
    ...place,
    id: newUuid(),
    status: 'STATUS_RECEIVED',
    isReturn: line.isReturn,
    amountMinor: line.amountMinor,
    unassignedMinor: line.amountMinor,
    currencyCode: line.currencyCode,
    bookingDate: new Date(line.bookingDay),
    valueDate: new Date(line.valueDay),
    reference: line.reference,
    endToEndId: line.endToEndId,
    mandateReference: line.mandateReference,
    counterpartyName: line.counterpartyName,
    counterpartyIban: line.counterpartyIban,
    remittanceInformation: line.remittance,
    returnReason: line.returnReason,
    chargesMinor: line.chargesMinor,
    batchIds: line.batch,
    suggestions: [],
    byHand: false,
    version: 0,
  }));
