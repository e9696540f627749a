/** Who orders, as far as a request says it: kept with a mandate that is given on the page. */
export interface Orderer {
  readonly ip: string | null;
  readonly userAgent: string | null;
}
