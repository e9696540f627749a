// Kill Bill 0.22 on a given PostgreSQL: its war in Tomcat 9, from Maven Central, tuned for throughput and with its test clock.
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../tools/free-port.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const cache = join(resolve(here, '../../..'), '.cache/killbill');
const START_MS = 300_000;
// Fetched by address: Maven refuses the war, whose parent was never published.
const CENTRAL = 'https://repo.maven.apache.org/maven2';
const WAR = 'org/kill-bill/billing/killbill-profiles-killbill/0.22.26/killbill-profiles-killbill-0.22.26.war';
const TOMCAT = 'org/apache/tomcat/tomcat/9.0.117/tomcat-9.0.117.tar.gz';

/** What Java 17 closes and the libraries of 2021 still open. */
const OPENS = [
  'java.io',
  'java.lang',
  'java.lang.reflect',
  'java.net',
  'java.text',
  'java.util',
  'java.util.concurrent',
  'jdk.internal.loader',
  'sun.net.www.protocol.file',
  'sun.net.www.protocol.ftp',
  'sun.net.www.protocol.http',
  'sun.net.www.protocol.https',
  'sun.net.www.protocol.jar',
  'sun.net.www.content.text',
].map((name) => `java.base/${name}`);

/** The folder with Tomcat and the unpacked war; fetched once. */
async function installed() {
  if (existsSync(join(cache, 'war/WEB-INF'))) return cache;
  const partial = `${cache}.${process.pid}`;
  mkdirSync(join(partial, 'war'), { recursive: true });
  await run('tar', ['-xzf', await fetched(TOMCAT, partial), '-C', partial, '--transform', 's,^[^/]*,tomcat,']);
  await run('unzip', ['-qo', await fetched(WAR, partial), '-d', join(partial, 'war')]);
  rmSync(cache, { recursive: true, force: true });
  renameSync(partial, cache);
  return cache;
}

/** A file of Maven Central, held against its checksum. */
async function fetched(path, folder) {
  const read = async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  };
  const [content, checksum] = await Promise.all([read(`${CENTRAL}/${path}`), read(`${CENTRAL}/${path}.sha1`)]);
  if (createHash('sha1').update(content).digest('hex') !== checksum.toString().trim().slice(0, 40))
    throw new Error(`${path} is damaged`);
  const file = join(folder, path.split('/').at(-1));
  writeFileSync(file, content);
  return file;
}

/** Its tables, from the scripts in its jars: the one that makes PostgreSQL understand the others comes first. */
async function createTables(folder, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('CREATE DATABASE killbill');
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = '/killbill';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const jars = join(folder, 'war/WEB-INF/lib');
  const scripts = [];
  for (const jar of readdirSync(jars).filter((name) => name.startsWith('killbill-'))) {
    const { stdout } = await run('unzip', ['-Z1', join(jars, jar)], { maxBuffer: 1 << 24 });
    for (const path of stdout.split('\n').filter((name) => /\/ddl(-postgresql)?\.sql$/.test(name)))
      scripts.push({ path, sql: (await run('unzip', ['-p', join(jars, jar), path])).stdout });
  }
  const isDialect = ({ path }) => path.endsWith('-postgresql.sql');
  for (const { sql } of [...scripts.filter(isDialect), ...scripts.filter((script) => !isDialect(script))])
    await client.query(sql);
  await client.end();
  return { url, scripts: scripts.length };
}

const properties = (url) => {
  const jdbc = `jdbc:postgresql://${url.host}/killbill`;
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    'org.killbill.dao.url': jdbc,
    'org.killbill.dao.user': user,
    'org.killbill.dao.password': password,
    'org.killbill.dao.maxActive': 60,
    'org.killbill.dao.logLevel': 'DEBUG',
    'org.killbill.server.updateCheck.skip': true,
    'org.killbill.billing.osgi.dao.url': jdbc,
    'org.killbill.billing.osgi.dao.user': user,
    'org.killbill.billing.osgi.dao.password': password,
    'org.killbill.catalog.uri': 'SpyCarAdvanced.xml',
    'org.killbill.server.multitenant': true,
    'org.killbill.server.test.mode': true,
    'org.killbill.security.shiroNbHashIterations': 1,
    'org.killbill.notificationq.main.sleep': 20,
    'org.killbill.notificationq.main.claimed': 10,
    'org.killbill.notificationq.main.queue.mode': 'STICKY_POLLING',
    'org.killbill.notificationq.main.notification.nbThreads': 8,
    'org.killbill.persistent.bus.external.inMemory': true,
    'org.killbill.persistent.bus.main.queue.mode': 'STICKY_EVENTS',
    'org.killbill.persistent.bus.main.claimed': 10,
    'org.killbill.persistent.bus.main.nbThreads': 8,
    'org.killbill.persistent.bus.main.sleep': 0,
    'org.killbill.persistent.bus.main.queue.capacity': 10_000,
    'org.killbill.invoice.sanitySafetyBoundEnabled': false,
    'org.killbill.invoice.maxDailyNumberOfItemsSafetyBound': -1,
  };
};

/**
 * Creates the database `killbill` and starts the server on it.
 * @param {string} adminUrl of a role that may create databases
 * @returns {Promise<{ baseUrl: string, database: string, pid: number, stop(): Promise<void> }>}
 */
export async function startKillBill(adminUrl) {
  const folder = await installed();
  const { url } = await createTables(folder, adminUrl);
  const base = mkdtempSync(join(tmpdir(), 'killbill-'));
  for (const name of ['logs', 'temp', 'work', 'webapps', 'bundles']) mkdirSync(join(base, name));
  cpSync(join(folder, 'tomcat/conf'), join(base, 'conf'), { recursive: true });
  const port = await freePort();
  const config = Object.entries(properties(url)).map(([key, value]) => `${key}=${value}`);
  writeFileSync(join(base, 'conf/killbill.properties'), config.join('\n'));
  writeFileSync(join(base, 'conf/server.xml'), serverXml(port, join(folder, 'war')));
  writeFileSync(
    join(base, 'conf/logback.xml'),
    '<configuration><appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">' +
      '<encoder><pattern>%d %-5level %logger - %msg%n</pattern></encoder></appender>' +
      '<root level="WARN"><appender-ref ref="OUT"/></root></configuration>',
  );
  const tomcat = join(folder, 'tomcat');
  const flags = [
    '-Xms1g',
    '-Xmx2g',
    '-XX:+UseParallelGC',
    '-Duser.timezone=UTC',
    ...OPENS.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]),
    `-Dorg.killbill.server.properties=file://${join(base, 'conf/killbill.properties')}`,
    `-Dorg.killbill.osgi.bundle.install.dir=${join(base, 'bundles')}`,
    `-Dlogback.configurationFile=${join(base, 'conf/logback.xml')}`,
    `-Dcatalina.home=${tomcat}`,
    `-Dcatalina.base=${base}`,
    `-Djava.io.tmpdir=${join(base, 'temp')}`,
  ];
  const classPath = `${join(tomcat, 'bin/bootstrap.jar')}:${join(tomcat, 'bin/tomcat-juli.jar')}`;
  const child = spawn('java', [...flags, '-cp', classPath, 'org.apache.catalina.startup.Bootstrap', 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: base,
  });
  const log = createWriteStream(join(base, 'logs/out.log'));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const ended = new Promise((done) => child.once('exit', done));
  const cleanUp = () => child.kill('SIGKILL');
  process.once('exit', cleanUp);
  const stop = async () => {
    process.removeListener('exit', cleanUp);
    child.kill('SIGKILL');
    await ended;
    if (!process.env.KEEP_LOGS) rmSync(base, { recursive: true, force: true });
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_MS;
  while (!(await answers(baseUrl))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      process.env.KEEP_LOGS = '1';
      await stop();
      throw new Error(`Kill Bill does not start, see ${join(base, 'logs/out.log')}`);
    }
    await new Promise((done) => setTimeout(done, 250));
  }
  return { baseUrl, database: url.href, pid: child.pid, stop };
}

const answers = (baseUrl) =>
  fetch(`${baseUrl}/1.0/healthcheck`).then(
    (response) => response.status === 200,
    () => false,
  );

const serverXml = (port, war) => `<?xml version="1.0"?>
<Server port="-1" shutdown="none">
  <Service name="Catalina">
    <Connector port="${port}" address="127.0.0.1" protocol="HTTP/1.1" maxThreads="64" maxKeepAliveRequests="-1"/>
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="webapps" autoDeploy="false" deployOnStartup="false">
        <Context path="" docBase="${war}" reloadable="false"/>
      </Host>
    </Engine>
  </Service>
</Server>
`;
