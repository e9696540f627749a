const IDLE_SECONDS = 5;
/** Node sends so many, a second apart, and has no setting for it. */
const PROBES = 10;

/**
 * Of a connection to PostgreSQL: each side notices within a quarter of a minute that the other one is gone without a word, as a
 * machine is that was switched off. Without this it takes hours: so long a service would wait for an answer, and the server
 * would keep what a dead one has locked.
 */
export const NOTICES_LOSS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: IDLE_SECONDS * 1000,
  options: `-c tcp_keepalives_idle=${IDLE_SECONDS} -c tcp_keepalives_interval=1 -c tcp_keepalives_count=${PROBES}`,
};
