import { BusAway } from './bus-away.js';

/**
 * Events that were published to one cluster of brokers are not on another one. A process that reaches another one than the last leader did
 * has a wrong setting, or the cluster was replaced: then nobody reaches the former one, and nobody else takes the lead that is left.
 */
export class OtherCluster {
  private since: number | undefined;

  constructor(private readonly patienceMs: number) {}

  /** It is the one that was published to, or somebody else leads. */
  passed(): void {
    this.since = undefined;
  }

  /** Returns when the lead was left to others for long enough, in vain. @throws BusAway */
  leave(): void {
    this.since ??= performance.now();
    if (performance.now() - this.since < this.patienceMs)
      throw new BusAway('Kafka is another cluster than the one that events were published to');
  }
}
