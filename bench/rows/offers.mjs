// 100,000 offers that expire at once, beside the same UPDATE … RETURNING with its outbox rows.
export { run } from '../../apps/offers/bench/expiry.mjs';
