export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const percentile = (values, p) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))];

/**
 * Runs the variants in turn, `rounds` times (A B A B …), so that a machine whose speed drifts drifts for all of them.
 * A variant resolves to a rate (things a second). Returns the rates by variant.
 */
export async function interleaved(variants, rounds = 5) {
  const rates = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, variant] of Object.entries(variants)) rates[name].push(await variant(round));
  return rates;
}

/** Rate of `count` things done by `work`. */
export async function rateOf(count, work) {
  const start = process.hrtime.bigint();
  await work();
  return count / (Number(process.hrtime.bigint() - start) / 1e9);
}

/**
 * One row of the result. `measured` and `limit` are lists of rates (or times where `lowerIsBetter`); the ratio is computed
 * round by round and its median compared with the goal. Without a limit the goal is the measured figure itself.
 */
export function report({ name, measured, limit, goal, unit, lowerIsBetter = false }) {
  const ratios = limit ? measured.map((value, i) => value / limit[i]) : measured;
  const ratio = median(ratios);
  return {
    name,
    measured: median(measured),
    limit: limit ? median(limit) : null,
    ratio: limit ? ratio : null,
    goal,
    met: lowerIsBetter ? ratio <= goal : ratio >= goal,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    unit,
  };
}

const number = (value) =>
  value === null ? '–' : Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function table(rows) {
  const head = ['what', 'measured', 'limit', 'ratio', 'spread', 'goal', 'met'];
  const body = rows.map((row) => [
    row.name,
    `${number(row.measured)} ${row.unit}`,
    row.limit === null ? '–' : `${number(row.limit)} ${row.unit}`,
    number(row.ratio),
    row.spread.map(number).join(' … '),
    number(row.goal),
    row.met ? 'yes' : 'NO',
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...body.map((cells) => cells[i].length)));
  const line = (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body.map(line)].join('\n');
}
