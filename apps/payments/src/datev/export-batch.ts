import type { TenantState } from '@kontor/contracts';
import { dayOf, DomainError, validationFailed } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type DatevAccounts, fiscalYearOf, WITHOUT_AUTOMATIC_TAX } from '../domain/datev/accounts.js';
import { type Booking, bookingLine, columnLine, headerLine, MAX_BOOKINGS } from '../domain/datev/extf.js';
import { windows1252 } from '../domain/datev/windows-1252.js';
import { PageTransfers, type TransferSpan } from '../ledger/index.js';
import { type RequestedSpan, instantsOf } from '../ledger/index.js';
import type { TransferRow } from '../ledger/index.js';
import { type DocumentTax, splitByTax } from '../domain/datev/tax-accounts.js';
import { accountsOf, type DatevSettings, hasAutomaticTax, loadDatevSettings, taxAccountOf } from './datev-settings.js';
import { countTaxSplits, findDocumentTaxes } from './document-taxes.js';
import { type BookingNames, nameBookings } from './name-bookings.js';

interface Plan {
  readonly settings: DatevSettings;
  readonly accounts: DatevAccounts;
  readonly zone: string;
  readonly span: TransferSpan;
  readonly header: string;
}

/**
 * The ledger of some days as a booking batch for DATEV: what moved money, a line for each transfer, of documents for
 * each VAT category and rate.
 */
@Injectable()
export class ExportBatch {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly transfers: PageTransfers,
  ) {}

  /**
   * The lines of the file, in its encoding, page by page.
   * @throws DomainError `validation_failed` (days of two fiscal years), `too_many_bookings`; before the first line.
   */
  async execute(tenantId: string, asked: RequestedSpan): Promise<AsyncGenerator<Buffer>> {
    const plan = await this.database.tenant(tenantId, (tx) => this.plan(tx, asked));
    const splits = await this.database.tenant(tenantId, (tx) => countTaxSplits(tx, plan.span), { readOnly: true });
    const bookings = splits + (await this.transfers.count(tenantId, plan.span));
    if (bookings > MAX_BOOKINGS)
      throw new DomainError('too_many_bookings', {
        detail: `DATEV reads ${MAX_BOOKINGS} bookings from one file; these days have ${bookings}. Choose fewer days.`,
      });
    return this.lines(tenantId, plan);
  }

  private async plan(tx: TenantTx, asked: RequestedSpan): Promise<Plan> {
    const settings = await loadDatevSettings(tx);
    const currencyCode = asked.currencyCode ?? 'EUR';
    const fiscalYearStart = fiscalYearOf(asked.from, settings.fiscalYearStart);
    if (fiscalYearOf(asked.to, settings.fiscalYearStart) !== fiscalYearStart)
      throw validationFailed('to', 'to must lie in the same fiscal year as from.', 'two_fiscal_years');
    const zone = (await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId))?.timeZone ?? 'Europe/Berlin';
    const header = headerLine({
      ...settings,
      createdAt: tx.now,
      fiscalYearStart,
      from: asked.from,
      to: asked.to,
      title: `Kontor ${asked.from} ${asked.to}`,
      currencyCode,
      chart: settings.chart.slice(3),
    });
    return {
      settings,
      accounts: accountsOf(settings),
      zone,
      span: { ...instantsOf(asked, zone), currencyCode, postedOnly: true },
      header,
    };
  }

  private async *lines(tenantId: string, plan: Plan): AsyncGenerator<Buffer> {
    yield windows1252(`${plan.header}\r\n${columnLine()}\r\n`);
    for await (const rows of this.transfers.pages(tenantId, plan.span)) {
      const { names, taxes } = await this.database.tenant(tenantId, async (tx) => ({
        names: await nameBookings(tx, this.replicas, rows),
        taxes: await findDocumentTaxes(tx, rows),
      }));
      // What goes from one customer to another moves nothing where both are on one account, and DATEV takes no such line.
      const lines = rows
        .flatMap((row) => bookingsOf(row, names.get(row) as BookingNames, taxes.get(row.operation), plan))
        .filter(({ account, contra }) => account !== contra)
        .map((booking) => `${bookingLine(booking, plan.settings.locked)}\r\n`);
      yield windows1252(lines.join(''));
    }
  }
}

function bookingsOf(
  row: TransferRow,
  names: BookingNames,
  taxes: readonly DocumentTax[] | undefined,
  plan: Plan,
): Booking[] {
  const whole = bookingOf(row, names, plan);
  const onDebit = row.debitCode === 'revenue' || row.debitCode === 'tax';
  const parts = splitByTax(onDebit ? row.debitCode : row.creditCode, row.amount, taxes, (name) =>
    taxAccountOf(plan.settings, name),
  );
  if (!parts) return [whole];
  const other = onDebit ? whole.contra : whole.account;
  return parts.map(({ account, amountMinor, reversed, taxable }) => {
    const debited = onDebit !== reversed;
    return {
      ...whole,
      amountMinor,
      account: debited ? account : other,
      contra: debited ? other : account,
      // An account for untaxed revenue works out none; the one for all revenue does, whatever is booked there.
      key: (taxable && hasAutomaticTax(plan.settings, account)) || account === plan.accounts.revenue ? whole.key : '',
    };
  });
}

function bookingOf(row: TransferRow, names: BookingNames, { settings, accounts, zone }: Plan): Booking {
  const debtors = new RegExp(`^[1-6]\\d{${settings.accountLength}}$`);
  const of = (code: TransferRow['debitCode'], debtor: string | null): string =>
    code === 'receivable' && debtor !== null && debtors.test(debtor) ? debtor : accounts[code];
  return {
    amountMinor: row.amount,
    currencyCode: row.currencyCode,
    account: of(row.debitCode, names.debitDebtor),
    contra: of(row.creditCode, names.creditDebtor),
    key: row.debitCode === 'revenue' || row.creditCode === 'revenue' ? WITHOUT_AUTOMATIC_TAX : '',
    day: dayOf(row.bookedAt, zone),
    document: names.document,
    text: names.text,
  };
}
