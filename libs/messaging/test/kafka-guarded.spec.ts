import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, freePort, kafkaStarter, testPostgresUrl } from '@kontor/testing';
import { KafkaBus, type KafkaConnection } from '../src/index.js';
import { change, counted, createDatabase, effects, recorder, Service } from './world.js';

const starter = await kafkaStarter();
const missing = await starter.kafkaMissing();
if (missing !== null && process.env['REQUIRE_KAFKA'] === '1') throw new Error(missing);

const login = { username: 'kontor', password: 'a b;c' };

(missing === null ? describe : describe.skip)('Kafka by TLS and with a login', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-kafka-'));
  const known = getCACertificates('default');
  let broker: Awaited<ReturnType<typeof starter.startKafka>>;
  let address: string;

  beforeAll(async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const alt = ['-subj', '/CN=kafka', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const rsa = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', '-x509', ...rsa, '-out', certificate, '-days', '2', ...alt], { stdio: 'ignore' });
    const port = await freePort();
    address = `127.0.0.1:${port}`;
    const pems = { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
    broker = await starter.startKafka({ dataDir: join(folder, 'data'), guarded: { port, ...pems, ...login } });
    setDefaultCACertificates([...known, pems.certificate]);
  });
  afterAll(async () => {
    setDefaultCACertificates(known);
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const busOf = (connection: Partial<KafkaConnection>): KafkaBus =>
    new KafkaBus({ brokers: [address], clientId: 'test', prefix: `${newUuid()}.`, ...connection });

  it.each(['plain', 'scram-sha-512'] as const)('carries events with a login by %s', async (mechanism) => {
    const database = await createDatabase(testPostgresUrl(), 'billing');
    const service = await new Service(database, busOf({ ssl: true, sasl: { mechanism, ...login } }), [
      recorder(),
    ]).start();
    try {
      await database.tenant(newUuid(), (tx) => change(tx, ['a']));
      await eventually(async () => (await effects(database)).length === 1);
    } finally {
      await service.stop();
    }
  });

  it.each([
    [
      'a wrong password',
      { ssl: true, sasl: { mechanism: 'plain', username: 'kontor', password: 'x' } },
      /Authentication failed|invalid credentials/i,
    ],
    ['no login', { ssl: true }, /./],
    ['no TLS', { sasl: { mechanism: 'plain', ...login } }, /./],
  ] as const)('refuses %s', async (_what, connection, message) => {
    const bus = busOf(connection as Partial<KafkaConnection>);
    await expect(bus.topicEnds([counted.topic])).rejects.toThrow(message);
    await bus.close();
  });

  it('is not spoken to where its certificate is by nobody whom Node knows', async () => {
    setDefaultCACertificates(known);
    const bus = busOf({ ssl: true, sasl: { mechanism: 'plain', ...login } });
    await expect(bus.topicEnds([counted.topic])).rejects.toThrow(/self-signed certificate/);
    await bus.close();
  });
});
