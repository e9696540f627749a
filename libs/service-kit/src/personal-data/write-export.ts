import { Readable } from 'node:stream';
import {
  type ExportFilesResponse,
  type ExportRowsResponse,
  type ExportTablesResponse,
  SERVICES,
  type ServiceName,
} from '@kontor/contracts';
import { defuseText } from '@kontor/kernel';
import { stringify } from 'csv-stringify/sync';
import { ZipArchive } from '../archives/zip-archive.js';
import type { InternalClient } from '../internal/internal-client.js';
import type { Log } from '../observability/log.js';
import type { ExportOf } from './export-data.js';

/** The tables of a service that have rows to export. */
interface TablesOf extends ExportTablesResponse {
  readonly service: ServiceName;
}

const TIMEOUT_MS = 20_000;
const FORMATS = ['json', 'csv'] as const;

/**
 * Everything that the services have of a tenant, or of one of its customers, as one ZIP archive: each table as JSON and as CSV, and
 * the stored files. It is written while it is sent: of all that, one page is in memory.
 */
export class WriteExport {
  constructor(
    private readonly client: InternalClient,
    private readonly log: Log,
  ) {}

  /** @throws ServiceUnavailable when a service does not answer before anything is sent */
  async execute(of: ExportOf, now: Date): Promise<Readable> {
    const tables = await Promise.all(
      SERVICES.map(async (service) => ({
        service,
        ...(await this.get<ExportTablesResponse>(of, service, 'tables')),
      })),
    );
    return Readable.from(this.archive(of, tables, now), { objectMode: false });
  }

  private async *archive(of: ExportOf, services: readonly TablesOf[], now: Date): AsyncGenerator<Buffer> {
    const zip = new ZipArchive();
    try {
      for (const { service, tables } of services) {
        for (const table of tables)
          for (const format of FORMATS)
            yield* zip.packed(`${service}/${table}.${format}`, now, this.text(of, service, table, format));
        for await (const { key, name } of this.files(of, service))
          yield* zip.packed(`${service}/files/${name}`, now, this.bytes(of, service, key));
      }
      yield zip.end();
    } catch (error) {
      this.log.error({ tenantId: of.tenantId, err: error }, 'an export was interrupted');
      throw error;
    }
  }

  private async *text(
    of: ExportOf,
    service: ServiceName,
    table: string,
    format: (typeof FORMATS)[number],
  ): AsyncGenerator<string> {
    let isFirst = true;
    if (format === 'json') yield '[';
    for await (const page of this.pages(of, service, table)) {
      if (format === 'csv') yield (isFirst ? stringify([page.columns]) : '') + stringify(page.rows.map(defused));
      else if (page.objects.length > 0) yield `${isFirst ? '\n' : ',\n'}${page.objects.join(',\n')}`;
      isFirst = false;
    }
    if (format === 'json') yield '\n]\n';
  }

  private async *pages(of: ExportOf, service: ServiceName, table: string): AsyncGenerator<ExportRowsResponse> {
    for (let after: string | null | undefined; after !== null;) {
      const page: ExportRowsResponse = await this.get(of, service, `tables/${table}`, after);
      yield page;
      after = page.next;
    }
  }

  private async *files(of: ExportOf, service: ServiceName): AsyncGenerator<{ key: string; name: string }> {
    for (let after: string | null | undefined; after !== null;) {
      const page: ExportFilesResponse = await this.get(of, service, 'files', after);
      yield* page.files;
      after = page.next;
    }
  }

  private async *bytes(of: ExportOf, service: ServiceName, key: string): AsyncGenerator<Buffer> {
    yield await this.client.bytes(service, `/internal/exports/files/${key}`, {
      tenantId: of.tenantId,
      timeoutMs: TIMEOUT_MS,
    });
  }

  private get<T>({ tenantId, customerId }: ExportOf, service: ServiceName, path: string, after?: string): Promise<T> {
    const query = new URLSearchParams();
    if (customerId !== null) query.set('customer', customerId);
    if (after !== undefined) query.set('after', after);
    const options = { tenantId, timeoutMs: TIMEOUT_MS };
    return this.client.call<T>(service, 'GET', `/internal/exports/${path}?${query}`, undefined, options);
  }
}

/** Text that a spreadsheet would read as a formula gets an apostrophe; numbers stay. */
const defused = (cells: readonly (string | null)[]): (string | null)[] =>
  cells.map((cell) => (cell !== null && !/^-?\d+(\.\d+)?$/.test(cell) ? defuseText(cell) : cell));
