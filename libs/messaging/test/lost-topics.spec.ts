import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, testPostgresUrl } from '@kontor/testing';
import { EmbeddedBus } from '../src/index.js';
import { TopicsBus } from './topics-bus.js';
import { change, charged, counted, createDatabase, Service, sleep, type TestDatabase, upTo } from './world.js';

describe('the relay, when a topic is lost', () => {
  const tenantId = newUuid();
  let database: TestDatabase;
  let bus: TopicsBus;
  const running: Service[] = [];

  beforeEach(async () => {
    database = await createDatabase(testPostgresUrl(), 'billing');
    bus = new TopicsBus();
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    await database.close();
  });
  const start = async (of = database, through = bus): Promise<Service> => {
    const service = await new Service(of, through, [], { pageSize: 2 }).start();
    running.push(service);
    return service;
  };
  const changed = (ids: string[], definition = counted): Promise<void> =>
    database.tenant(tenantId, (tx) => change(tx, ids, definition));
  /** Made anew without an error that anybody sees; not in the moment after a publication, for which topics are taken for whole. */
  const loseQuietly = async (): Promise<void> => {
    await sleep(300);
    bus.lose('billing.customer');
  };
  const customers = (): string[] => bus.events('billing.customer');
  const counts = (): Promise<unknown[]> => database.rows('SELECT type, n::int FROM published_count ORDER BY type');
  const topic = (name: string): Promise<unknown[]> =>
    database.rows('SELECT taken::int, lost FROM published_topic WHERE topic = $1', [name]);

  it('publishes what it held again, in order and before anything newer, and counts it once', async () => {
    await start();
    for (const id of ['a', 'b', 'a']) await changed([id]);
    await changed(['x'], charged);
    await eventually(() => bus.events('billing.charges').length === 1 && customers().length === 3);
    await loseQuietly();
    await changed(['a', 'b']);
    await eventually(() => customers().length >= 5);
    expect(customers()).toEqual(['a1', 'b1', 'a2', 'a3', 'b2']);
    const again = bus.held
      .get('billing.customer')!
      .map(({ headers }) => (JSON.parse(headers) as { again?: true }).again);
    expect(again).toEqual([true, true, true, undefined, undefined]);
    expect(bus.events('billing.charges')).toEqual(['x1']);
    await eventually(async () => (await topic('billing.customer')).length === 1);
    await eventually(async () => JSON.stringify(await topic('billing.customer')) === '[{"taken":5,"lost":false}]');
    expect(await counts()).toEqual([
      { type: charged.type, n: 1 },
      { type: counted.type, n: 5 },
    ]);
  });

  it('notices it while there is nothing to publish', async () => {
    await start();
    await changed(['a', 'b', 'a']);
    await eventually(() => customers().length === 3);
    bus.lose('billing.customer');
    await eventually(() => customers().length === 3);
    expect(customers()).toEqual(['a1', 'b1', 'a2']);
  });

  it('goes on where it was after a failure, and begins again when the topic is lost again on the way', async () => {
    await start();
    await changed(['a', 'b', 'c', 'd', 'e', 'f']);
    await eventually(() => customers().length === 6);
    let pages = 0;
    bus.before = () => {
      pages++;
      if (pages === 2) throw new Error('connect ECONNREFUSED');
      if (pages !== 3) return;
      bus.lose('billing.customer');
      throw new Error('UNKNOWN_TOPIC_OR_PARTITION');
    };
    bus.lose('billing.customer');
    await eventually(() => pages > 3 && customers().length === 6);
    expect(customers()).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1']);
    expect(pages).toBe(6);
  });

  it('does it completely where a process died on the way', async () => {
    const twin = database.twin();
    const dying = await start(twin);
    await changed(['a', 'b', 'c', 'd', 'e', 'f']);
    await eventually(() => customers().length === 6);
    let pages = 0;
    bus.before = () => {
      if (pages++ > 0) twin.away = true;
      if (twin.away) throw new Error('killed');
    };
    bus.lose('billing.customer');
    await eventually(() => twin.away);
    await dying.stop();
    running.length = 0;
    await twin.close();
    expect(customers()).toEqual(['a1', 'b1']);
    expect(await topic('billing.customer')).toEqual([{ taken: 0, lost: true }]);
    bus.before = () => undefined;
    await start();
    await changed(['a']);
    await eventually(() => customers().includes('a2'));
    expect(customers()).toEqual(['a1', 'b1', 'a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'a2']);
  });

  it('leaves out what is in quarantine, and passes over what the bus takes no more', async () => {
    bus.refuses = ({ aggregateId }) => aggregateId === 'huge';
    await start();
    for (const id of ['huge', 'a', 'b', 'huge', 'a']) await changed([id]);
    await eventually(() => customers().length === 3);
    await eventually(async () => (await database.rows('SELECT 1 FROM outbox_quarantine')).length === 2);
    bus.refuses = ({ aggregateId }) => aggregateId === 'b';
    await loseQuietly();
    await changed(['a']);
    await eventually(() => customers().includes('a3'));
    expect(customers()).toEqual(['a1', 'a2', 'a3']);
  });

  it('says of what was released from quarantine that it stood out of its place, whenever the topic is lost', async () => {
    bus.refuses = ({ aggregateId }) => aggregateId === 'huge';
    const service = await start();
    for (const id of ['huge', 'a', 'a']) await changed([id]);
    await eventually(async () => (await database.rows('SELECT 1 FROM outbox_quarantine')).length === 1);
    await eventually(() => customers().length === 2);
    bus.refuses = () => false;
    await service.messaging.releaseQuarantine();
    await eventually(() => customers().includes('huge1'));
    expect(customers()).toEqual(['a1', 'a2', 'huge1']);
    await loseQuietly();
    await changed(['a']);
    await eventually(() => customers().includes('a3'));
    const marks = bus.held.get('billing.customer')!.map(({ aggregateId, headers }) => {
      const { released, again } = JSON.parse(headers) as { released?: true; again?: true };
      return [aggregateId, released ?? false, again ?? false];
    });
    expect(marks).toEqual([
      ['huge', true, false],
      ['a', false, true],
      ['a', false, true],
      ['a', false, false],
    ]);
  });

  it('takes what a topic holds at first for all of it', async () => {
    await start();
    await changed(upTo(3).map(String));
    await eventually(() => customers().length === 3);
    await running.pop()!.stop();
    // As before there was this table.
    await database.rows('DELETE FROM published_topic');
    await start();
    await changed(['4']);
    await eventually(() => customers().includes('41'));
    expect(customers()).toEqual(['11', '21', '31', '41']);
  });

  it('publishes to one that is empty at first what an earlier version had published to another, or without topics', async () => {
    await start();
    await changed(upTo(3).map(String));
    await eventually(() => customers().length === 3);
    await running.pop()!.stop();
    await database.rows('DELETE FROM published_topic');
    bus.lose('billing.customer');
    await start();
    // However long nothing newer is published.
    await eventually(() => customers().length === 3);
    await changed(['4']);
    await eventually(() => customers().includes('41'));
    expect(customers()).toEqual(['11', '21', '31', '41']);
    await eventually(async () => JSON.stringify(await topic('billing.customer')) === '[{"taken":4,"lost":false}]');
  });

  it('publishes what was published where there were no topics, before anything newer', async () => {
    running.push(await new Service(database, new EmbeddedBus(), [], { pageSize: 2 }).start());
    await changed(['a', 'b', 'a']);
    await eventually(async () => (await counts()).length === 1);
    await running.pop()!.stop();
    await start();
    await changed(['b']);
    await eventually(() => customers().includes('b2'));
    expect(customers()).toEqual(['a1', 'b1', 'a2', 'b2']);
    await eventually(async () => JSON.stringify(await topic('billing.customer')) === '[{"taken":4,"lost":false}]');
  });

  describe('in another cluster', () => {
    const QUICK = { pageSize: 2, electionMs: 50 };
    const run = async (of: TestDatabase, through: TopicsBus, options = QUICK): Promise<Service> => {
      const service = await new Service(of, through, [], options).start();
      running.push(service);
      return service;
    };

    it('leaves the lead to a process that reaches the former one', async () => {
      const other = new TopicsBus('second');
      await run(database, bus);
      await changed(['a']);
      await eventually(() => customers().length === 1);
      await running.pop()!.stop();
      // It leads first, and its patience is longer than any machine is slow.
      const twin = database.twin();
      const stray = await run(twin, other, { pageSize: 2, electionMs: 10_000 });
      await changed(['b']);
      await eventually(() => other.asked > 0);
      await run(database, bus);
      await eventually(() => customers().includes('b1'));
      expect(other.held.size).toBe(0);
      await stray.stop();
      await twin.close();
    });

    it('publishes all of it there where nobody reaches the former one, and there again when somebody does', async () => {
      const other = new TopicsBus('second');
      // As an older one that held more.
      const older = Array.from({ length: 9 }, () => ({ aggregateId: 'old', aggregateSeq: 0, headers: '{}' }));
      other.held.set('billing.customer', older as never);
      await run(database, bus);
      for (const id of ['a', 'b', 'a']) await changed([id]);
      await eventually(() => customers().length === 3);
      await running.pop()!.stop();
      await run(database, other);
      await changed(['b']);
      await eventually(() => other.events('billing.customer').includes('b2'));
      expect(other.events('billing.customer').slice(9)).toEqual(['a1', 'b1', 'a2', 'b2']);
      await running.pop()!.stop();
      await run(database, bus);
      await eventually(() => customers().includes('b2'));
      expect(customers()).toEqual(['a1', 'b1', 'a2', 'a1', 'b1', 'a2', 'b2']);
      await eventually(async () => JSON.stringify(await topic('billing.customer')) === '[{"taken":4,"lost":false}]');
      expect(await counts()).toEqual([{ type: counted.type, n: 4 }]);
    });
  });
});
