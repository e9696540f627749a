// Ten million usage events: ingestion, reading one customer, a month of all customers.
export { run } from '../../apps/usage/bench/usage-size.mjs';
