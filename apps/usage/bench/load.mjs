// Load over plain sockets, so that sending costs little of the machine that is measured.
import { connect } from 'node:net';

/** A whole HTTP request, ready to be sent. */
export function request(url, method, path, headers, body = '') {
  const { host } = new URL(url);
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/**
 * Sends `requests` over `connections` that stay open, one after the other on each; resolves to the times they took, in
 * ms.
 */
export async function send(url, requests, connections) {
  const { hostname, port } = new URL(url);
  let next = 0;
  const times = [];
  const lane = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let answer = '';
      let sentAt = 0;
      const more = () => {
        if (next === requests.length) return void socket.end(resolve);
        sentAt = performance.now();
        socket.write(requests[next++]);
      };
      socket.on('connect', more);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        answer += chunk.latin1Slice();
        const head = answer.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(answer)[1]);
        if (answer.length < head + 4 + length) return;
        if (!answer.startsWith('HTTP/1.1 20')) return void reject(new Error(answer.slice(0, 500)));
        times.push(performance.now() - sentAt);
        answer = '';
        more();
      });
    });
  await Promise.all(Array.from({ length: connections }, lane));
  return times;
}
