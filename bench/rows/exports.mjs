// The export of all documents of some days beside tar over the same files.
export { run } from '../../apps/invoicing/bench/exports.mjs';
