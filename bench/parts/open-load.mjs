// A process that sends requests at their times, whether or not the ones before have been answered, as many independent clients
// do. The measured process only answers.
import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { request } from '../../apps/usage/bench/load.mjs';

/** All together fewer than an address may have. */
const MAX_CONNECTIONS = 900;

/** Connections that stay open; what finds none free waits, and that is part of its time. */
class Connections {
  #idle = [];
  #waiting = [];
  #open = 0;

  constructor(url, max, onAnswer) {
    this.address = new URL(url);
    this.max = max;
    this.onAnswer = onAnswer;
  }

  send(sent) {
    const socket = this.#idle.pop();
    if (socket) this.#write(socket, sent);
    else if (this.#open < this.max) this.#connect(sent);
    else this.#waiting.push(sent);
  }

  #write(socket, sent) {
    socket.sent = sent;
    socket.write(sent.bytes);
  }

  #connect(sent) {
    this.#open += 1;
    const socket = connect(Number(this.address.port), this.address.hostname).setNoDelay(true);
    socket.answer = '';
    socket.on('data', (chunk) => this.#read(socket, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#open -= 1;
      // The server ends what was idle for long.
      this.#idle = this.#idle.filter((other) => other !== socket);
      if (socket.sent) this.onAnswer(socket.sent, 0, false);
      if (this.#waiting.length > 0) this.#connect(this.#waiting.shift());
    });
    this.#write(socket, sent);
  }

  #read(socket, chunk) {
    socket.answer += chunk.latin1Slice();
    const head = socket.answer.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(socket.answer)?.[1] ?? 0);
    if (socket.answer.length < head + 4 + length) return;
    const { answer, sent } = socket;
    socket.answer = '';
    socket.sent = undefined;
    this.onAnswer(sent, Number(answer.slice(9, 12)), /\r\nretry-after: /i.test(answer));
    const next = this.#waiting.shift();
    if (next) this.#write(socket, next);
    else this.#idle.push(socket);
  }

  close() {
    for (const socket of this.#idle) socket.destroy();
  }
}

/** `streams`: of each caller how many a second, and what; resolves when all are answered. Times count from when each was due. */
function send({ url, streams, seconds }) {
  const answers = streams.map(() => ({ millis: {}, statuses: {}, withoutHint: 0 }));
  return new Promise((resolve) => {
    let due = 0;
    let done = 0;
    let isOver = false;
    const finish = () => {
      if (!isOver || done < due) return;
      for (const each of connections) each.close();
      resolve(answers);
    };
    const onAnswer = ({ of, kind, at }, status, hasHint) => {
      const answer = answers[of];
      answer.statuses[status] = (answer.statuses[status] ?? 0) + 1;
      if (status >= 200 && status < 300) (answer.millis[kind] ??= []).push(performance.now() - at);
      else if (!hasHint) answer.withoutHint += 1;
      done += 1;
      finish();
    };
    // Callers are machines of their own: none waits for a connection of another.
    const connections = streams.map(() => new Connections(url, MAX_CONNECTIONS / streams.length, onAnswer));
    const began = performance.now();
    const sent = streams.map(() => 0);
    const timer = setInterval(() => {
      const now = Math.min(performance.now() - began, seconds * 1000);
      for (const [of, { rate, headers, requests }] of streams.entries())
        for (; sent[of] < (now / 1000) * rate; sent[of] += 1) {
          const { kind, method, path, body } = requests[sent[of] % requests.length];
          due += 1;
          const at = began + (sent[of] / rate) * 1000;
          const numbered = body?.replaceAll('{n}', `${process.pid}-${Math.round(at)}-${sent[of]}`);
          connections[of].send({ of, kind, at, bytes: request(url, method, path, headers, numbered) });
        }
      if (now < seconds * 1000) return;
      clearInterval(timer);
      isOver = true;
      finish();
    }, 2);
  });
}

/** As many as `clients` get done, each one request after the other: answers a second. */
function saturate({ url, headers, requests, clients, seconds }) {
  return new Promise((resolve) => {
    let sent = 0;
    let accepted = 0;
    let open = clients;
    const began = performance.now();
    const next = () => {
      if (performance.now() - began > seconds * 1000) {
        open -= 1;
        if (open === 0) {
          connections.close();
          resolve(accepted / ((performance.now() - began) / 1000));
        }
        return;
      }
      const { method, path, body } = requests[sent % requests.length];
      sent += 1;
      const numbered = body?.replaceAll('{n}', `${process.pid}-${Math.round(began)}-${sent}`);
      connections.send({ bytes: request(url, method, path, headers, numbered) });
    };
    const connections = new Connections(url, MAX_CONNECTIONS, (_sent, status) => {
      if (status >= 200 && status < 300) accepted += 1;
      setImmediate(next);
    });
    for (let n = 0; n < clients; n += 1) next();
  });
}

if (process.argv[2] === 'open-load')
  process.on(
    'message',
    (work) => void (work.streams ? send(work) : saturate(work)).then((result) => process.send(result)),
  );

/** Starts the process. */
export function startOpenLoad() {
  const child = fork(new URL(import.meta.url), ['open-load']);
  const ask = (work) =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('The load generator has ended.')));
      child.send(work);
    });
  return { send: ask, saturate: ask, stop: () => child.kill() };
}
