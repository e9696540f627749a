// Recurring revenue of three years beside a plain GROUP BY over the charges.
export { run } from '../../apps/billing/bench/analytics.mjs';
