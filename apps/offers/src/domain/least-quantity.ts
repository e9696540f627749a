/**
 * What a buyer takes at least of something whose seller names no minimum: one, or as much as is offered where that is less. A billionth of it
 * would cost nothing, and be had all the same.
 */
export const leastQuantity = (minimum: string | null, offered: string): string =>
  minimum ?? (Number(offered) < 1 ? offered : '1');
