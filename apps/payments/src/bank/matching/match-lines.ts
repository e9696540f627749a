import { isDeepStrictEqual } from 'node:util';
import { DomainError, InvariantError } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../../customer-books/customer-books.js';
import { lockCustomers } from '../../customer-books/lock-customers.js';
import { assignParts, spread } from '../../domain/bank/assignment/assign.js';
import type { BankAssignment, BankTransaction, Suggestion } from '../../domain/bank/bank-transaction.js';
import { isAssignable, restate } from '../../domain/bank/bank-transaction.js';
import { type Match, matchLine } from '../../domain/bank/matching/match-line.js';
import type { Books } from '../../domain/customer-books/books.js';
import { bankTransactions } from '../lines/bank-transaction.row.js';
import { BookReturns } from './book-returns.js';
import { findCandidates, findingsFor } from './find-matches.js';
import { suggestPaidOut } from './find-paid-out.js';
import { suggestReturned } from './find-returned.js';
import { confirmRecorded, isUnconfirmed } from './confirm-recorded.js';
import { rematchOpenLines, rematchReturns } from './rematch-open-lines.js';
import { saveLines } from '../lines/save-lines.js';

/** Lines that nobody has touched. */
const UNTOUCHED = `status IN ('STATUS_RECEIVED', 'STATUS_SUGGESTIONS_AVAILABLE', 'STATUS_MANUAL_MATCHING_REQUIRED')`;
const isUntouched = (line: BankTransaction): boolean => isAssignable(line) && line.unassignedMinor === line.amountMinor;
const byId = (a: BankTransaction, b: BankTransaction): number => (a.id < b.id ? -1 : 1);
const CHUNK = 500;
const LANES = 2;

/**
 * Finds out what statement lines are for: books what is certain, suggests what may be. One transaction for 500 lines.
 */
@Injectable()
export class MatchLines {
  constructor(
    private readonly database: Database,
    private readonly customerBooks: CustomerBooks,
    private readonly bookReturns: BookReturns,
  ) {}

  /** All lines of an import that were not looked at yet. */
  async import(tenantId: string, importId: string): Promise<void> {
    const where = `import_id = $2 AND status = 'STATUS_RECEIVED' ORDER BY id`;
    await this.inChunks(tenantId, await this.idsOf(tenantId, where, importId));
  }

  /** The newest untouched lines again, at most `limit` of them: documents have come that they may be for. */
  async again(tenantId: string, limit: number): Promise<void> {
    await this.inChunks(tenantId, await this.idsOf(tenantId, `${UNTOUCHED} ORDER BY id DESC LIMIT $2`, limit));
  }

  /** The newest lines of returned money that nothing was found for: what they return may have been paid since. */
  async returns(tenantId: string, limit: number): Promise<void> {
    await this.inChunks(
      tenantId,
      await this.idsOf(tenantId, `is_return AND ${UNTOUCHED} ORDER BY id DESC LIMIT $2`, limit),
    );
  }

  private idsOf(tenantId: string, where: string, param: unknown): Promise<string[]> {
    const ids = (tx: TenantTx): Promise<{ id: string }[]> =>
      tx.query<{ id: string }>(`SELECT id FROM bank_transaction WHERE tenant_id = $1 AND ${where}`, [
        tx.tenantId,
        param,
      ]);
    return this.database.tenant(tenantId, async (tx) => (await ids(tx)).map((row) => row.id), { readOnly: true });
  }

  /** While the database works on one chunk, the next one is thought about. */
  private async inChunks(tenantId: string, ids: readonly string[]): Promise<void> {
    let at = 0;
    const failures: Error[] = [];
    const lane = async (): Promise<void> => {
      for (let chunk = ids.slice(at, (at += CHUNK)); chunk.length > 0; chunk = ids.slice(at, (at += CHUNK)))
        failures.push(...(await this.matchApart(tenantId, chunk)));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (failures[0]) throw failures[0];
  }

  /** A line that cannot be booked keeps no others waiting: they are matched without it. Gives what was wrong with such lines. */
  private async matchApart(tenantId: string, ids: readonly string[]): Promise<Error[]> {
    try {
      await this.database.tenant(tenantId, async (tx) =>
        this.match(tx, (await bankTransactions.findByIds(tx, ids)).filter(isUntouched).sort(byId)),
      );
      return [];
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof InvariantError)) throw error;
      if (ids.length === 1) return [error];
      const half = ids.length >> 1;
      return [
        ...(await this.matchApart(tenantId, ids.slice(0, half))),
        ...(await this.matchApart(tenantId, ids.slice(half))),
      ];
    }
  }

  /** Looks at these lines in the caller's transaction. */
  async match(tx: TenantTx, seen: readonly BankTransaction[]): Promise<void> {
    const open: BankTransaction[] = [];
    let hasPaid = false;
    let hasReturned = false;
    for (const line of seen) {
      if (!isAboutEarlierMoney(line) || line.byHand || !(await this.bookReturns.execute(tx, line))) open.push(line);
      else if (line.isReturn) hasReturned = true;
      else hasPaid = true;
    }
    if (open.length > 0 && (await this.matchOpen(tx, open))) hasPaid = true;
    if (hasPaid) await rematchReturns(tx);
    if (hasReturned) await rematchOpenLines(tx);
  }

  /** Lines that are about nothing booked before; true where some of them have paid something. */
  private async matchOpen(tx: TenantTx, open: readonly BankTransaction[]): Promise<boolean> {
    const candidates = await findCandidates(
      tx,
      open.filter((line) => !line.isReturn),
    );
    await lockCustomers(tx, candidates.customerIds);
    const lines = await lockUnchanged(tx, open);
    const books = await this.customerBooks.load(tx, {
      customerIds: candidates.customerIds,
      intentIds: candidates.intentIds,
      fromBank: true,
      crediting: candidates.toppedUp,
    });
    const changed: BankTransaction[] = [];
    const fresh: BankAssignment[] = [];
    let hasConfirmed = false;
    for (const line of lines) {
      const { status, suggestions } = line;
      if (line.isReturn)
        suggest(line, await (line.amountMinor > 0n ? suggestPaidOut(tx, line) : suggestReturned(tx, line)));
      else {
        const match = matchLine(line, findingsFor(candidates, books, line));
        if (match.kind === 'confirm' && (await isUnconfirmed(tx, match.transactionId))) {
          await confirmRecorded(tx, line, [match.transactionId]);
          hasConfirmed = true;
          continue;
        }
        fresh.push(...carryOut(books, line, match));
      }
      // jsonb gives keys back in an order of its own.
      if (line.status !== status || !isDeepStrictEqual(line.suggestions, suggestions)) changed.push(line);
    }
    if (books.operations.length > 0) await this.customerBooks.save(tx, books);
    if (changed.length > 0) await saveLines(tx, changed, fresh);
    return hasConfirmed || fresh.length > 0;
  }
}

function carryOut(books: Books, line: BankTransaction, match: Match): BankAssignment[] {
  if (match.kind !== 'book') {
    // Of two lines that name one top-up, the second is for a person.
    suggest(line, match.kind === 'suggest' ? match.suggestions : []);
    return [];
  }
  line.suggestions = [];
  return assignParts(books, line, spread(line, match.intents));
}

function suggest(line: BankTransaction, suggestions: readonly Suggestion[]): void {
  line.suggestions = suggestions;
  restate(line);
}

/** Lines that may be about an order of our files, or about money that comes back. */
const isAboutEarlierMoney = (line: BankTransaction): boolean =>
  line.isReturn ||
  line.batchIds.paymentInformationId !== null ||
  line.batchIds.messageId !== null ||
  /[0-9a-f]{32}/i.test(`${line.endToEndId ?? ''} ${line.remittanceInformation ?? ''}`);

/**
 * Locks the lines; those that changed since they were read are somebody else's work. Read again are only their
 * versions: lines are wide.
 */
async function lockUnchanged(tx: TenantTx, seen: readonly BankTransaction[]): Promise<BankTransaction[]> {
  const rows = await tx.query<{ id: string; version: number }>(
    'SELECT id, version FROM bank_transaction WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
    [tx.tenantId, seen.map((line) => line.id)],
  );
  const versions = new Map(rows.map((row) => [row.id, row.version]));
  return seen.filter((line) => versions.get(line.id) === line.version);
}
