import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually, type Json } from './api.js';

export type Call = (method: string, path: string, body?: Json) => Promise<Json>;
type Get = (path: string) => Promise<Buffer>;

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'company-year');
const { play } = (await import(join(EXAMPLE, 'play.mjs'))) as {
  play(call: Call, passTime: (to: string) => Promise<unknown>, months: number): Promise<Record<string, Json>>;
};
const { collect } = (await import(join(EXAMPLE, 'files.mjs'))) as {
  collect(call: Call, get: Get, folder: string): Promise<Json[]>;
};

/** How a system is asked, and how its time passes. */
export interface YearClient {
  readonly call: Call;
  readonly get: Get;
  readonly advance: (to: string) => Promise<unknown>;
}

/** The year of `examples/company-year`, and its papers in a folder. */
export class CompanyYear {
  private constructor(
    readonly special: Readonly<Record<string, Json>>,
    readonly documents: readonly Json[],
    readonly folder: string,
  ) {}

  static async play({ call, get, advance }: YearClient, months: number, folder: string): Promise<CompanyYear> {
    const special = await play(call, advance, months);
    const refund = `/invoices/${special['refund'].id}`;
    await eventually('the refund is paid out', async () => (await call('GET', refund)).status === 'STATUS_PAID');
    return new CompanyYear(special, await collect(call, get, folder), folder);
  }

  private documentOf(name: string): Json {
    return this.documents.find(({ id }) => id === this.special[name].id);
  }

  /** Everything that can happen to an invoice has happened, each is paid or taken back in the end. */
  expectWhole(): void {
    const statuses = [...new Set(this.documents.map(({ status }) => status as string))].sort();
    expect(statuses).toEqual(['STATUS_CANCELLED', 'STATUS_PAID', 'STATUS_REFUNDED']);
    const wrong = this.documentOf('wrong');
    expect(wrong).toMatchObject({ status: 'STATUS_CANCELLED', unpaidAmount: { amount: 0 } });
    expect(this.documentOf('cancellation').grossAmount.amount).toBe(-wrong.grossAmount.amount);
    expect(this.documentOf('credit')).toMatchObject({ type: 'TYPE_CREDIT', grossAmount: { amount: -22_000 } });
    expect(this.documentOf('refunded').status).toBe('STATUS_REFUNDED');
    expect(this.documentOf('authority')).toMatchObject({ leitwegId: '04011000-1234512345-06', status: 'STATUS_PAID' });
    expect(this.special['letters']).toHaveLength(3);
    expect(this.special['letters'].map(({ level }: Json) => level as number).sort()).toEqual([1, 2, 3]);
    expect(this.documentOf('dunned')).toMatchObject({ status: 'STATUS_PAID', dunningStatus: 'none' });
    expect(this.documents.filter(({ unpaidAmount }) => unpaidAmount.amount !== 0)).toEqual([]);
  }

  /** The batch for the bookkeeper agrees with the documents to the cent. */
  expectBooked(): void {
    const KINDS = /^"(Rechnung|Rechnungskorrektur|Storno|Erstattung|Mahngebühr) /;
    const booked = new Map<string, number>();
    for (const name of readdirSync(this.folder).filter((file) => file.startsWith('datev-')))
      for (const line of readFileSync(join(this.folder, name), 'latin1').split('\r\n').slice(2)) {
        const fields = line.split(';');
        if (!KINDS.test(fields[13] ?? '')) continue;
        const number = (fields[10] ?? '').replaceAll('"', '');
        booked.set(number, (booked.get(number) ?? 0) + Math.round(Number((fields[0] ?? '').replace(',', '.')) * 100));
      }
    const expected = this.documents
      .filter(({ grossAmount }) => grossAmount.amount !== 0)
      .map(({ number, grossAmount }) => [number as string, Math.abs(grossAmount.amount as number)] as const);
    expect(Object.fromEntries(booked)).toEqual(Object.fromEntries(expected));
  }
}

/** The bytes of an answer that must be a success. */
export async function bytesOf(baseUrl: string, token: string | undefined, path: string): Promise<Buffer> {
  const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token ?? ''}` } });
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}
