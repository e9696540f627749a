import { createServer, connect, type Server, type Socket } from 'node:net';

/** A TCP proxy between a client and a server that can be slow, cut or silent: what networks do to us. */
export class FaultProxy {
  /** Milliseconds that every chunk waits in either direction. */
  delayMs = 0;
  /** How fast what is sent to the server passes, on each connection. */
  bytesPerMs = Infinity;
  /** Sees every chunk on its way to the server, so that a fault can begin at a certain request. */
  onRequest: (chunk: Buffer) => void = () => undefined;
  /** Passes requests on and swallows the answers, until `heal`: a reply that is lost. */
  dropReplies = false;
  private silent = false;
  private refusing = false;
  private readonly pairs = new Set<{ client: Socket; server: Socket; abandoned: boolean }>();

  private constructor(
    private readonly listener: Server,
    readonly port: number,
    /** Where new connections go: a server that was started again may listen elsewhere. */
    public target: { host: string; port: number },
  ) {}

  static async to(target: { host: string; port: number }): Promise<FaultProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultProxy(listener, (listener.address() as { port: number }).port, target);
    listener.on('connection', (client) => proxy.join(client));
    return proxy;
  }

  /** The same URL through the proxy. */
  static async inFrontOf(url: string): Promise<{ proxy: FaultProxy; url: string }> {
    const through = new URL(url);
    const proxy = await FaultProxy.to({ host: through.hostname, port: Number(through.port) });
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    return { proxy, url: through.href };
  }

  /** Resets every connection; new ones are made as before. */
  cut(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Resets every connection and refuses new ones until `heal`. */
  refuse(): void {
    this.refusing = true;
    this.cut();
  }

  /** Accepts and swallows: nothing passes in either direction until `heal`; what was sent meanwhile is lost. */
  blackhole(): void {
    this.silent = true;
  }

  /** Swallows for good what passes on the connections of now, and ends none of them; new ones are made as before. */
  abandon(): void {
    for (const pair of this.pairs) pair.abandoned = true;
  }

  heal(): void {
    this.silent = this.refusing = this.dropReplies = false;
    this.delayMs = 0;
    this.bytesPerMs = Infinity;
    this.onRequest = () => undefined;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private join(client: Socket): void {
    if (this.refusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.target);
    const pair = { client, server, abandoned: false };
    this.pairs.add(pair);
    const end = (): void => {
      this.pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (chunk: Buffer) => {
      this.onRequest(chunk);
      this.pass(chunk, server, pair.abandoned);
      if (this.bytesPerMs === Infinity) return;
      client.pause();
      setTimeout(() => client.resume(), chunk.length / this.bytesPerMs);
    });
    server.on('data', (chunk: Buffer) => this.pass(chunk, client, pair.abandoned || this.dropReplies));
  }

  private pass(chunk: Buffer, to: Socket, drop: boolean): void {
    if (this.silent || drop) return;
    const write = (): void => void (to.destroyed || to.write(chunk));
    if (this.delayMs > 0) setTimeout(write, this.delayMs);
    else write();
  }
}
