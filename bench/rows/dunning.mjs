// A dunning run beside INSERT … SELECT of the same rows.
export { run } from '../../apps/invoicing/bench/dunning.mjs';
