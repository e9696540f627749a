/** Whose data are exported: a customer's, or all of the tenant. Every service: `GET /internal/exports/tables?customer=`. */
export interface ExportTablesResponse {
  tables: string[];
}

/** A page of a table's rows: `GET /internal/exports/tables/:table?customer=&after=`. Secrets are left out. */
export interface ExportRowsResponse {
  columns: string[];
  /** Values as PostgreSQL writes them, in the order of the columns. */
  rows: (string | null)[][];
  /** The same rows as JSON objects. */
  objects: string[];
  /** Asks for the page after this one; null: it was the last. */
  next: string | null;
}

/** A page of stored files: `GET /internal/exports/files?customer=&after=`; the bytes: `GET /internal/exports/files/:key`. */
export interface ExportFilesResponse {
  files: { key: string; name: string }[];
  next: string | null;
}
