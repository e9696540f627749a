export { run } from '../../apps/payments/bench/ledger.mjs';
