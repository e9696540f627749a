// A billing run beside COPY of the same rows, and beside a transaction per invoice.
export { run } from '../../apps/billing/bench/billing-run.mjs';
