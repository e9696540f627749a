export { run } from '../../apps/payments/bench/bank.mjs';
