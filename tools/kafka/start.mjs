// A real Apache Kafka without containers: jars from Maven Central, one broker in KRaft mode.
// Used by the tests, by `npm run stack` and by the bench. As a program: `node tools/kafka/start.mjs [data folder] [port]`.
import { execFile } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import kafkajs from 'kafkajs';
import { freePort } from '../free-port.mjs';
import { spawnBound } from '../spawn-bound.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const pom = join(here, 'pom.xml');
const [, version] = /kafka_2\.13<\/artifactId>\s*<version>([^<]+)</.exec(readFileSync(pom, 'utf8'));
const jars = join(resolve(here, '../..'), '.cache/kafka', version);
export const INSTALL_HINT = 'apt-get install -y default-jre-headless maven';

/** What Kafka 4 runs on. */
const OLDEST_JAVA = 17;

const exists = async (command, argument) =>
  run(command, [argument]).then(
    () => true,
    () => false,
  );

/** 17 of `openjdk version "17.0.13"`; 1 before Java 9, 0 where there is none. */
const javaVersion = async () =>
  run('java', ['-version']).then(
    ({ stderr }) => Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0),
    () => 0,
  );

/** Null when a broker can be started here, else what is missing. */
export async function kafkaMissing() {
  if ((await javaVersion()) < OLDEST_JAVA) return `Java ${OLDEST_JAVA} or newer is missing (${INSTALL_HINT})`;
  if (!existsSync(jars) && !(await exists('mvn', '-version'))) return `Maven is missing (${INSTALL_HINT})`;
  return null;
}

async function jarFolder() {
  if (existsSync(jars)) return jars;
  const partial = `${jars}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  await run('mvn', ['-q', '-B', '-f', pom, goal, `-DoutputDirectory=${partial}`], {
    maxBuffer: 1 << 26,
  });
  // Two processes may have fetched at once: the first one's folder stays.
  try {
    renameSync(partial, jars);
  } catch {
    rmSync(partial, { recursive: true, force: true });
  }
  return jars;
}

/**
 * Starts a broker on `dataDir` (kept: a second start reads the same topics) and waits until it answers.
 * @param {{ dataDir: string, port?: number, advertisedPort?: number, heapMb?: number,
 *   guarded?: { port: number, certificate: string, key: string, username: string, password: string } }} options
 *   `guarded`: a second listener, by TLS alone (PEM) and with a login (PLAIN or SCRAM-SHA-512)
 * @returns {Promise<{ brokers: string[], port: number, pid: number, stop(): Promise<void>, kill(): Promise<void> }>}
 */
export async function startKafka({ dataDir, port, advertisedPort, heapMb = 512, guarded }) {
  const missing = await kafkaMissing();
  if (missing) throw new Error(missing);
  const classPath = `${await jarFolder()}/*`;
  const clientPort = port ?? (await freePort());
  const controllerPort = await freePort();
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const config = join(dataDir, 'server.properties');
  writeFileSync(
    config,
    properties({ dataDir, clientPort, controllerPort, advertisedPort: advertisedPort ?? clientPort, guarded }),
  );
  if (!existsSync(join(dataDir, 'log/meta.properties'))) {
    await run('java', [
      '-cp',
      classPath,
      'kafka.tools.StorageTool',
      'format',
      '--standalone',
      '-t',
      'a29udG9yLWthZmthLWNsdQ',
      '-c',
      config,
      ...(guarded ? ['--add-scram', `SCRAM-SHA-512=[name=${guarded.username},password=${guarded.password}]`] : []),
    ]);
  }
  const flags = [
    `-Xmx${heapMb}m`,
    '-Xms128m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Djava.awt.headless=true',
  ];
  const child = spawnBound('java', [...flags, '-cp', classPath, 'kafka.Kafka', config], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = createWriteStream(join(dataDir, 'broker.log'), { flags: 'a' });
  child.stdout.pipe(output);
  child.stderr.pipe(output);
  const ended = new Promise((done) => child.once('exit', done));
  const cleanUp = () => child.kill('SIGKILL');
  process.once('exit', cleanUp);
  const end = async (signal) => {
    process.removeListener('exit', cleanUp);
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  try {
    await ready(`127.0.0.1:${clientPort}`, child, join(dataDir, 'broker.log'));
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  return {
    brokers: [`127.0.0.1:${advertisedPort ?? clientPort}`],
    port: clientPort,
    pid: child.pid,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

const properties = ({ dataDir, clientPort, controllerPort, advertisedPort, guarded }) => `
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${clientPort},CONTROLLER://127.0.0.1:${controllerPort}${guarded ? `,GUARDED://127.0.0.1:${guarded.port}` : ''}
advertised.listeners=PLAINTEXT://127.0.0.1:${advertisedPort},CONTROLLER://127.0.0.1:${controllerPort}${guarded ? `,GUARDED://127.0.0.1:${guarded.port}` : ''}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,GUARDED:SASL_SSL
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=${join(dataDir, 'log')}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
replica.fetch.max.bytes=10485760
log.cleaner.dedupe.buffer.size=4194304
${guarded ? guardedListener(guarded) : ''}`;

const guardedListener = ({ certificate, key, username, password }) => {
  const pem = (text) => text.trim().replaceAll('\n', '\\n');
  const modules = 'org.apache.kafka.common.security';
  return `listener.name.guarded.ssl.keystore.type=PEM
listener.name.guarded.ssl.keystore.certificate.chain=${pem(certificate)}
listener.name.guarded.ssl.keystore.key=${pem(key)}
listener.name.guarded.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
listener.name.guarded.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${username}="${password}";
listener.name.guarded.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required;
`;
};

async function ready(broker, child, logFile) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null) {
      const isTaken = readFileSync(logFile, 'utf8').slice(-20_000).includes('Failed to acquire lock');
      const why = isTaken ? 'another Kafka uses its folder: end that one' : `see ${logFile}`;
      throw new Error(`Kafka ended with code ${child.exitCode}, ${why}.`);
    }
    const kafka = new kafkajs.Kafka({
      brokers: [broker],
      logLevel: kafkajs.logLevel.NOTHING,
      connectionTimeout: 1000,
      retry: { retries: 0 },
    });
    const admin = kafka.admin();
    try {
      await admin.connect();
      await admin.listTopics();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error('Kafka does not answer', { cause: error });
      await new Promise((done) => setTimeout(done, 150));
    } finally {
      await admin.disconnect().catch(() => undefined);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '.data/kafka', port = '9092', ...more] = process.argv.slice(2);
  const missing = await kafkaMissing();
  const isUsage = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535 && more.length === 0;
  if (missing ?? !isUsage) {
    console.error(missing ?? 'Usage: node tools/kafka/start.mjs [data folder] [port]');
    process.exit(1);
  }
  const broker = await startKafka({ dataDir: resolve(folder), port: Number(port) });
  console.log(`Kafka on ${broker.brokers[0]}, process ${broker.pid}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void broker.stop().then(() => process.exit(0)));
}
