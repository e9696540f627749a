import type { Topic } from '@kontor/contracts';
import { allEvents } from '@kontor/contracts';
import type { BusPort } from './bus/bus-port.js';
import { offsetStore } from './bus/offset-store.js';
import type { ConsumerHandler } from './consumer/consumer-handler.js';
import { EventServer } from './consumer/event-server.js';
import { ParkedMessages } from './inbox/parked-messages.js';
import { Relay, type RelayOptions } from './outbox/relay.js';
import { type MessagingDatabase, type MessagingLogger, silentLogger } from './ports.js';
import { withPatience } from './patience.js';
import { messagingProgress, type MessagingProgress } from './progress.js';
import { isLasting, type Stall } from './stall.js';

export interface MessagingOptions {
  readonly database: MessagingDatabase;
  readonly bus: BusPort;
  readonly logger?: MessagingLogger;
  readonly relay?: RelayOptions;
}

const MAINTENANCE_MS = 6 * 3_600_000;

/** Outbox, inbox and consumers of one service. */
export class Messaging {
  /** Nest's transport: `app.connectMicroservice({ strategy })`, then `app.startAllMicroservices()`. */
  readonly strategy: EventServer;
  readonly parked: ParkedMessages;
  private readonly relay: Relay;
  private readonly logger: MessagingLogger;
  private maintenance: NodeJS.Timeout | undefined;
  private readonly watched: (() => Stall | null)[];
  private readonly onReturn: (() => void)[];

  constructor(private readonly options: MessagingOptions) {
    const { database, bus } = options;
    this.logger = options.logger ?? silentLogger;
    this.strategy = new EventServer(database, bus, offsetStore(database), this.logger);
    this.onReturn = [() => this.strategy.compareAgain()];
    const onReturn = (): void => this.onReturn.forEach((compare) => compare());
    this.relay = new Relay(database, bus, this.logger, { onReturn, ...options.relay });
    this.watched = [() => this.relay.stall(), () => this.strategy.stall()];
    this.parked = new ParkedMessages(database, () => this.strategy.handlers());
  }

  /** Adds a consumer that is no class, such as one that keeps copies; before the transport listens. */
  register(handler: ConsumerHandler): void {
    this.strategy.register(handler);
  }

  /** Calls `compare` each time the database was lost and is there again: it may have come back older than it was. */
  onDatabaseReturn(compare: () => void): void {
    this.onReturn.push(compare);
  }

  /** Starts publishing; comes back when the topics exist, or soon when the bus is away. Consumers start with the transport. */
  async startRelay(): Promise<void> {
    const service = this.options.database.serviceName;
    const topics = new Set(allEvents().map((event) => event.topic));
    const prepared = this.options.bus.prepare([...topics].filter((topic: Topic) => topic.startsWith(`${service}.`)));
    prepared.catch((error: unknown) => this.logger.warn({ error: String(error), service }, 'topics are not there'));
    await withPatience(prepared);
    this.relay.start();
    this.maintenance = setInterval(() => void this.maintain(), MAINTENANCE_MS);
    this.maintenance.unref();
    void this.maintain();
  }

  /** After consumers have stopped: what they appended is still published. */
  async stopRelay(): Promise<void> {
    clearInterval(this.maintenance);
    await this.relay.stop();
  }

  get isLeader(): boolean {
    return this.relay.isLeader;
  }

  /** There may be something to publish. `appendEvent` calls it through the commit hook. */
  wake(): void {
    this.relay.wake();
  }

  /** What events wait for in this process, where that is more than a moment. */
  stalls(): Stall[] {
    return this.watched
      .map((look) => look())
      .filter((stall) => stall !== null)
      .filter(isLasting);
  }

  /** Something else in this process reads events: what it waits for shows as well. */
  watch(look: () => Stall | null): void {
    this.watched.push(look);
  }

  progress(tenantId: string): Promise<MessagingProgress> {
    return messagingProgress(this.options.database, this.strategy.topics(), tenantId);
  }

  /** Publishes quarantined events again, once the reason for their refusal is gone. */
  releaseQuarantine(): Promise<void> {
    return this.relay.releaseQuarantine();
  }

  /** Makes the next days' partitions and drops those of days before the last thirty on which this ran; what is not published is never dropped. */
  private async maintain(): Promise<void> {
    try {
      await this.options.database.system((sql) => sql.query('SELECT messaging_maintain(30, 35)'));
    } catch (error) {
      this.logger.warn(
        { error: String(error), service: this.options.database.serviceName },
        'partition maintenance failed, will be tried again',
      );
    }
  }
}
