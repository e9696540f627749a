// The usage service as a process of its own, on the database named by its arguments: what `npm run bench` sends requests to.
import { EmbeddedBus } from '@kontor/messaging';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import { usageService } from '../dist/index.js';

process.on('disconnect', () => process.exit());
const { databaseUrls, env, empty } = JSON.parse(process.argv[2]);
const service = await startService(usageService, { port: 0, bus: new EmbeddedBus(), databaseUrls, directory: new ServiceDirectory(), env });
if (empty) {
  // The same server without the work: routing, token, permission, body, answer.
  const { IngestEvents } = await import('../dist/events/ingest-events.js');
  const nothing = { ingested: 1, duplicates: 0, failed: 0, errors: [] };
  service.get(IngestEvents).execute = () => Promise.resolve(nothing);
}
process.send({ url: service.url });
