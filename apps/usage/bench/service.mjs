// The usage service as a process of its own, on the database named by its argument: what `npm run bench` sends requests
// to. `mode`: real; empty (routing, token, permission, body and answer without the work); single (a transaction per
// request).
import { EmbeddedBus } from '@kontor/messaging';
import { ServiceDirectory, startService } from '@kontor/service-kit';
import { usageService } from '../dist/index.js';
import { IngestEvents } from '../dist/event-store/ingest-events.js';
import { readItems } from '../dist/event-store/ingest-request.js';
import { InsertRequests } from '../dist/event-store/insert-requests.js';

process.on('disconnect', () => process.exit());
const { databaseUrls, env, mode } = JSON.parse(process.argv[2]);
const service = await startService(usageService, {
  port: 0,
  bus: new EmbeddedBus(),
  databaseUrls,
  directory: new ServiceDirectory(),
  env,
});
const nothing = { ingested: 1, duplicates: 0, failed: 0, errors: [] };
const insert = service.get(InsertRequests);
if (mode === 'empty') service.get(IngestEvents).execute = () => Promise.resolve(nothing);
if (mode === 'single')
  service.get(IngestEvents).execute = (tenantId, items) =>
    insert.executeOne(readItems(tenantId, items, { plainText: true, small: true }));
process.send({ url: service.url });
