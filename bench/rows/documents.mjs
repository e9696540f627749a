// Charges to finalized documents beside COPY of the same rows; what gapless numbers cost.
export { run } from '../../apps/invoicing/bench/documents.mjs';
