import type { ServerEnd } from '@kontor/persistence';
import type { Log } from '@kontor/service-kit';

/** Reports what became of the database server, in the log and as a line on the terminal. */
export const reportServerEnd =
  (log: Log, dataDir: string, onHopeless: (reason: string) => void) =>
  (end: ServerEnd): void => {
    const report = (line: string): void => {
      log.warn({ state: end.state }, line);
      process.stderr.write(`${line}\n`);
    };
    if (end.state === 'ended') report(`PostgreSQL ended unexpectedly; restart ${end.restarts} of 3 …`);
    else if (end.state === 'restarted') report('PostgreSQL answers again.');
    else {
      const reason = end.error ? `: ${end.error.message}` : '.';
      onHopeless(`PostgreSQL ended too often within a minute, see ${dataDir}/postgres.log${reason}`);
    }
  };
