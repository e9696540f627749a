import type pg from 'pg';

/** The wire of a connection, as far as a hand-made query needs it. */
interface Wire {
  query(text: string): void;
  readonly stream: { write(bytes: Uint8Array): boolean };
}

/**
 * Statements with the data of all their COPYs sent behind them at once: one round trip, and without BEGIN one
 * transaction. After an error the server skips the data that is still to come, as the protocol's simple query says.
 * @see https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-COPY
 */
class PipelinedCopy implements pg.Submittable {
  constructor(
    private readonly text: string,
    private readonly data: Buffer,
    private readonly done: (error?: Error) => void,
  ) {}

  submit(connection: unknown): void {
    const wire = connection as Wire;
    wire.query(this.text);
    wire.stream.write(this.data);
  }

  handleError(error: Error): void {
    this.done(error);
  }

  handleReadyForQuery(): void {
    this.done();
  }

  handleCopyInResponse(): void {
    // The data is on its way already.
  }
  handleRowDescription(): void {
    // The guard's empty answer.
  }
  handleDataRow(): void {
    // As above.
  }
  handleCommandComplete(): void {
    // Counts are known beforehand: COPY takes all rows or none.
  }
}

/** Runs `text` with `data`, the framed content of its COPYs. Rejects with the server's error or the connection's. */
export const pipelinedCopy = (client: pg.Client, text: string, data: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new PipelinedCopy(text, data, (error) => (error ? reject(error) : resolve())));
  });
