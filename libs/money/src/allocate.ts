/**
 * Splits `total` in proportion to `weights` so that the parts sum to it exactly (largest remainder; ties go to the
 * earlier part). Works for negative totals. Weights must not be negative; if all are 0 the first part takes all.
 * @throws RangeError on no weights or a negative one.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.length === 0) throw new RangeError('nothing to allocate to');
  if (weights.some((w) => w < 0n)) throw new RangeError('negative weight');
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) return weights.map((_, i) => (i === 0 ? total : 0n));
  const sign = total < 0n ? -1n : 1n;
  const size = total * sign;
  const parts = weights.map((w) => (size * w) / sum);
  const order = weights
    .map((w, index) => ({ index, rest: (size * w) % sum }))
    .sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  let left = size - parts.reduce((a, b) => a + b, 0n);
  for (const { index } of order) {
    if (left === 0n) break;
    parts[index] = (parts[index] as bigint) + 1n;
    left -= 1n;
  }
  return parts.map((p) => p * sign);
}
