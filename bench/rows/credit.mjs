export { run } from '../../apps/payments/bench/credit.mjs';
