const IDLE_SECONDS = 5;
/** Node sends so many, a second apart, and has no setting for it. */
const PROBES = 10;

/** What statements here, and who reads their answers, rely on, whatever the server, its databases or the roles are set to. */
const RELIED_ON = {
  // Others have days and months change places, or are no times at all to who reads them.
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read\\ committed',
  // Of a server that keeps it for others nothing would be found.
  search_path: 'public',
};

/**
 * Of every connection to PostgreSQL. Each side notices within a quarter of a minute that the other one is gone without a word, as a
 * machine is that was switched off: without this it takes hours, and so long a service would wait for an answer, and the server
 * would keep what a dead one has locked.
 */
export const CONNECTION_SETTINGS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: IDLE_SECONDS * 1000,
  options: Object.entries({
    tcp_keepalives_idle: IDLE_SECONDS,
    tcp_keepalives_interval: 1,
    tcp_keepalives_count: PROBES,
    ...RELIED_ON,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
};
