// Ingestion of usage events beside COPY, an empty server and an insert per request.
export { run } from '../../apps/usage/bench/usage.mjs';
