// `npm run generate`: the event catalogue from libs/contracts. With --check: fails when a committed file would change.
// Published examples are kept for ever (libs/contracts/published): an example that once stood there must still parse.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
const { allEvents, partitionsOf, REPLICAS } = await import('@kontor/contracts');
const stale = [];

function emit(file, text) {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  if (check) return void stale.push(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const events = allEvents();
const copiersOf = (event) => [
  ...new Set(
    Object.values(REPLICAS)
      .filter((spec) => spec.event.type === event.type)
      .flatMap((spec) => spec.copiers),
  ),
];

emit(
  'docs/events/README.md',
  [
    '# Event catalogue',
    '',
    'Generated from `libs/contracts` by `npm run generate`. Every event travels in an envelope (`eventId`, `type`, `topic`, `tenantId`,',
    '`aggregateId`, `aggregateSeq`, `effectiveAt`, `headers`, `payload`); the partition key is the aggregate. State-carrying events',
    '(`… .changed.v1`) hold `id`, `version`, `deleted`, `state` and the `notices` that become webhooks and activity entries.',
    '',
    '| event | topic (partitions) | meaning | copied by |',
    '|---|---|---|---|',
    ...events.map(
      (e) =>
        `| [\`${e.type}\`](schemas/${e.type}.json) | \`${e.topic}\` (${partitionsOf(e.topic)}) | ${e.description} | ${copiersOf(e).join(', ') || '–'} |`,
    ),
    '',
  ].join('\n'),
);
for (const event of events) {
  emit(
    `docs/events/schemas/${event.type}.json`,
    json({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: event.type,
      description: event.description,
      ...event.schema,
    }),
  );
  const published = `libs/contracts/published/${event.type}.json`;
  if (!existsSync(join(root, published))) emit(published, json([event.example]));
  else if (!check) {
    const known = JSON.parse(readFileSync(join(root, published), 'utf8'));
    if (!known.some((example) => JSON.stringify(example) === JSON.stringify(event.example)))
      emit(published, json([...known, event.example]));
  }
}

if (stale.length > 0) {
  console.error(`Generated files are out of date; run "npm run generate" and commit:\n  ${stale.join('\n  ')}`);
  process.exit(1);
}
console.log(check ? 'generated files are up to date' : `generated ${events.length} events`);
