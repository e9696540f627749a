// Customers from a CSV file beside COPY of the rows that they become.
export { run } from '../../apps/billing/bench/import.mjs';
