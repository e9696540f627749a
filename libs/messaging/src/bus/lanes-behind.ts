/** A lane that Kafka holds for read further than the database of its reader does. */
export interface LaneBehind {
  readonly lane: string;
  /** The first offset that is not dealt with: here, and as Kafka knows it. */
  readonly here: bigint;
  readonly there: bigint;
}

/** `committed`: next offsets; `positions`: last ones dealt with. A lane that was never read here stands at its beginning. */
export function lanesBehind(
  committed: ReadonlyMap<string, bigint>,
  positions: ReadonlyMap<string, bigint>,
): readonly LaneBehind[] {
  return [...committed]
    .map(([lane, there]) => ({ lane, here: (positions.get(lane) ?? -1n) + 1n, there }))
    .filter(({ here, there }) => there > here);
}

/** The database is older than what Kafka knows of it. */
export class KafkaIsAhead extends Error {
  constructor([first, ...others]: readonly LaneBehind[]) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    super(
      `Kafka is ahead of this database, which was put back from a backup (${first!.lane}: ${first!.here} here, ${first!.there} there${more}): ` +
        'when those of all services are put back as of that same time, delete the topics of the events in Kafka, and they are filled again from them; ' +
        'where somebody moved the group on, put it back',
    );
    this.name = 'KafkaIsAhead';
  }
}

/** A lane of which Kafka deleted what its reader had not come to. */
export interface LaneCut {
  readonly lane: string;
  /** The first offset that is not dealt with here, and the first that Kafka still has. */
  readonly here: bigint;
  readonly first: bigint;
}

/** `firsts`: what Kafka has of each lane begins there; `positions`: last ones dealt with. Who never read a lane begins where it begins. */
export function lanesCut(
  firsts: ReadonlyMap<string, bigint>,
  positions: ReadonlyMap<string, bigint>,
): readonly LaneCut[] {
  return [...positions]
    .map(([lane, position]) => ({ lane, here: position + 1n, first: firsts.get(lane) ?? 0n }))
    .filter(({ here, first }) => first > here);
}

/** Events that were not read are not in Kafka any more; their producers' outboxes have them. */
export class EventsGone extends Error {
  constructor([first, ...others]: readonly LaneCut[]) {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    super(
      `Kafka deleted events that were not read (${first!.lane}: read up to ${first!.here}, it begins at ${first!.first}${more}), because a ` +
        'retention is too short: mend that, then delete the topic, and it is filled again with those of the last thirty days',
    );
    this.name = 'EventsGone';
  }
}
