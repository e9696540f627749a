// The relay beside COPY of the same rows; how long an event takes on both buses.
export { run } from '../../libs/messaging/bench/messaging.mjs';
