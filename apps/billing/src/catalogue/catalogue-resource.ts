import type { NoticeType, ServiceName } from '@kontor/contracts';
import { unknownReference, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { ListedTable } from '@kontor/service-kit';
import type { CatalogueKind, CatalogueNotice } from './publish-catalogue.js';

/** What every table of the catalogue has. */
export interface CatalogueRow {
  tenantId: string;
  id: string;
  version: number;
  status: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Columns that a kind sets by itself; the rest is the same for all. */
export type OwnColumns<R extends CatalogueRow> = Omit<
  R,
  'tenantId' | 'id' | 'version' | 'status' | 'createdAt' | 'updatedAt'
> & {
  status?: R['status'];
};

/** One kind of object of the catalogue: how a body becomes a row and a row an answer. The use cases do the rest. */
export interface CatalogueResource<R extends CatalogueRow, Body> {
  readonly kind: CatalogueKind;
  /** For people: "product family". */
  readonly label: string;
  readonly listed: ListedTable<R>;
  /** Unique constraints and the properties that they protect. */
  readonly constraints?: Readonly<Record<string, string>>;
  /** Names of the notices and the key of the object in them. */
  readonly notices?: {
    readonly key: string;
    readonly created?: NoticeType;
    readonly updated?: NoticeType;
    readonly archived?: NoticeType;
    readonly deleted?: NoticeType;
  };
  /** For whom alone an object is: what is announced of it is in the customer's log, and goes with the customer. */
  readonly customerOf?: (row: R) => string | null;
  /**
   * The columns that a body stands for; `before` is the locked row that it replaces.
   * @throws DomainError when the body refers to nothing or the row may not change like that
   */
  columns(tx: TenantTx, body: Body, before: R | null): Promise<OwnColumns<R>>;
  /** Rows of other tables that belong to the object. */
  storeParts?(tx: TenantTx, row: R, body: Body): Promise<void>;
  /** @throws DomainError when this object stays whatever refers to it */
  beforeDelete?(row: R): void;
  /** The service whose objects may refer to one of these, and the path that answers whether they do. */
  readonly referring?: { readonly service: ServiceName; readonly path: string };
  represent(tx: TenantTx, rows: readonly R[]): Promise<Record<string, unknown>[]>;
}

/** What is announced of an object, where its kind announces that; `object`: the last state of what was deleted. */
export function noticeOf<R extends CatalogueRow, B>(
  { notices, customerOf }: CatalogueResource<R, B>,
  row: R,
  type: NoticeType | undefined,
  object?: Record<string, unknown>,
): CatalogueNotice | undefined {
  return notices && type && { type, key: notices.key, object, customerId: customerOf?.(row) };
}

/** A table whose objects others may refer to until they are archived. */
interface Referable {
  get(tx: TenantTx, id: string): Promise<{ readonly status: string } | null>;
}

interface ReferenceOptions {
  readonly label: string;
  /** What the row refers to already: it may keep an object that was archived since. */
  readonly before?: string | null;
}

/**
 * The id of an object that a body refers to, in lower case.
 * @throws DomainError `unknown_reference`, `validation_failed` when it is archived
 */
export async function referenceTo(
  tx: TenantTx,
  table: Referable,
  id: string,
  propertyPath: string,
  { label, before }: ReferenceOptions,
): Promise<string> {
  const wanted = id.toLowerCase();
  const found = await table.get(tx, wanted);
  if (!found) throw unknownReference(propertyPath, label);
  if (/archived$/i.test(found.status) && before !== wanted)
    throw validationFailed(propertyPath, `The ${label} is archived.`, 'archived');
  return wanted;
}

/** `referenceTo` where nothing may be referred to at all. */
export const optionalReferenceTo = async (
  tx: TenantTx,
  table: Referable,
  id: string | null | undefined,
  propertyPath: string,
  options: ReferenceOptions,
): Promise<string | null> =>
  id === null || id === undefined ? null : referenceTo(tx, table, id, propertyPath, options);
