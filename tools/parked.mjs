// `npm run parked`: lists the events that were put aside, of all services. `npm run parked -- discard SERVICE ID` gives one up.
import { SERVICES } from '@kontor/contracts';
import { ParkedMessages } from '@kontor/messaging';
import { connect, end } from './system-databases.mjs';

const USAGE = 'Usage: npm run parked, or npm run parked -- discard SERVICE ID';

const parkedOf = async (service, work) => {
  const database = await connect(service);
  try {
    return await work(new ParkedMessages(database, () => []));
  } finally {
    await database.close();
  }
};

async function list() {
  let count = 0;
  for (const service of SERVICES) {
    const [messages, refused] = await parkedOf(service, async (parked) => [
      await parked.list(),
      await parked.refused(),
    ]);
    count += messages.length + refused.length;
    for (const { id, parkedAt, type, topic, aggregateId, tenantId, reason, error } of messages) {
      console.log(`${service} ${id}: ${type} of ${aggregateId} (${topic}), tenant ${tenantId}`);
      console.log(`  since ${parkedAt.toISOString()}: ${reason === 'behind' ? 'waits behind an earlier one' : error}`);
    }
    for (const { eventId, aggregateId, topic, tenantId, since } of refused) {
      console.log(`${service} relay: event ${eventId} of ${aggregateId} (${topic}), tenant ${tenantId}`);
      console.log(`  since ${since.toISOString()}: the broker refuses it, or an earlier one of its aggregate`);
    }
  }
  if (count === 0) return void console.log('No event was put aside.');
  console.log(
    'Of each service the first 1,000 are listed. Repair what they say and start the services again: events are tried again then, in their order.',
  );
  console.log(
    'What can never be applied is given up by npm run parked -- discard SERVICE ID: its effect will never happen.',
  );
}

async function discard(name, id) {
  if (!SERVICES.includes(name) || !/^\d{1,18}$/.test(id ?? '')) return USAGE;
  return parkedOf(name, async (parked) => {
    const message = await parked.find(id);
    if (!message) return `${name} has put no event aside as ${id}.`;
    if (message.reason === 'behind')
      return `Nothing is wrong with ${id}: it waits behind an earlier one of its aggregate.`;
    await parked.discard(id);
    console.log(`${name} gave up ${id}: ${message.type} of ${message.aggregateId}, tenant ${message.tenantId}.`);
    console.log('What waits behind it is tried with the next start of the service.');
    return null;
  });
}

const [command, name, id, ...more] = process.argv.slice(2);
const run =
  command === undefined ? list : () => (command === 'discard' && more.length === 0 ? discard(name, id) : USAGE);
const refusal = (await run()) ?? null;
if (refusal) console.error(refusal);
await end(refusal ? 1 : 0);
