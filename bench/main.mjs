// `npm run bench [-- row …]`: measures the hot paths beside the machine's own limits, in interleaved rounds of one run, prints
// the table and writes bench/results/latest.json. Goals and the figures behind them: README.md in this folder.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { report, table } from './report.mjs';

const folder = new URL('./rows/', import.meta.url);
const wanted = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
if (names.length === 0) {
  console.error(
    `No such row. There are: ${readdirSync(folder)
      .map((file) => file.replace('.mjs', ''))
      .join(', ')}`,
  );
  process.exit(1);
}

const rows = [];
for (const name of names) {
  process.stderr.write(`${name} …\n`);
  const { run } = await import(new URL(`${name}.mjs`, folder));
  try {
    rows.push(...(await run()).map(report));
  } catch (error) {
    console.error(`${name} could not be measured: ${error.stack}`);
    process.exitCode = 1;
  }
}
console.log(table(rows));
mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
writeFileSync(
  new URL(`./results/${wanted.length === 0 ? 'latest' : 'partial.tmp'}.json`, import.meta.url),
  `${JSON.stringify(rows, null, 2)}\n`,
);
process.exit();
