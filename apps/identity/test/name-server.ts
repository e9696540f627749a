import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

const HEADER_BYTES = 12;
const TXT = 16;

/** Answers questions for TXT records as name servers do, and notes what it was asked. @see RFC 1035 */
export class NameServer {
  readonly records = new Map<string, readonly string[]>();
  readonly asked: string[] = [];
  answersNothing = false;
  private readonly socket: Socket = createSocket('udp4');

  static async start(): Promise<NameServer> {
    const server = new NameServer();
    server.socket.on('message', (question, from) => {
      const { name, end } = readName(question);
      server.asked.push(name);
      if (!server.answersNothing) server.socket.send(server.answer(question, name, end), from.port, from.address);
    });
    await new Promise<void>((resolve) => server.socket.bind(0, '127.0.0.1', resolve));
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.socket.close();
  }

  private answer(question: Buffer, name: string, end: number): Buffer {
    const texts = this.records.get(name) ?? [];
    const header = Buffer.from(question.subarray(0, HEADER_BYTES));
    // An answer with authority; without records: there is no such name.
    header.writeUInt16BE(texts.length > 0 ? 0x8580 : 0x8583, 2);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, question.subarray(HEADER_BYTES, end), ...texts.map(recordWith)]);
  }
}

/** A text of more than 255 bytes is in parts. */
function recordWith(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? [];
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  const head = Buffer.alloc(12);
  // The name is the one of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 5 };
}
