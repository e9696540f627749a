/** What a fault cost, as a line of a run that somebody watches. */
export function reportHealing(fault: string, seconds: Record<string, number>): void {
  if (process.env['TEST_LONG'] !== '1') return;
  const jobs = Object.entries(seconds).map(([job, after]) => `${job} ${after.toFixed(1)} s`);
  process.stderr.write(`${fault}; after its end: ${jobs.join(', ')}\n`);
}
