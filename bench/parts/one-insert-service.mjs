// The least that a write through the gateway can cost: the same gateway, the same service frame, one INSERT in one transaction.
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import { rateLimitsOf, startGateway } from '@kontor/api-gateway';
import { newUuid } from '@kontor/kernel';
import { Database, provisionDatabase, tenantTable } from '@kontor/persistence';
import { Caller, Operation, ServiceDirectory, startService } from '@kontor/service-kit';
import { freePort } from '../../tools/free-port.mjs';

const decorated = (target, method, decorators) => {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, method);
  for (const decorate of decorators) decorate(target.prototype, method, descriptor);
};

class Rows {
  constructor(database) {
    this.database = database;
  }

  write(principal, body) {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const id = newUuid();
      await tx.query('INSERT INTO bench_row (tenant_id, id, body) VALUES ($1, $2, $3)', [
        principal.tenantId,
        id,
        JSON.stringify(body),
      ]);
      return { id, ...body };
    });
  }

  /** The same, and then what `sign` gives. */
  async writeSigned(principal, body) {
    return { ...(await this.write(principal, body)), tokens: await Rows.sign() };
  }

  read() {
    return {};
  }
}
Reflect.defineMetadata('design:paramtypes', [Database], Rows);
Controller('bench-rows')(Rows);
for (const method of ['write', 'writeSigned']) {
  Caller()(Rows.prototype, method, 0);
  Body()(Rows.prototype, method, 1);
}
const operation = (id) => ({ id, summary: 'One row', tag: 'Bench', permission: 'customer:write' });
decorated(Rows, 'write', [Post(), Operation(operation('writeBenchRow'))]);
decorated(Rows, 'writeSigned', [Post('signed'), Operation(operation('writeSignedBenchRow'))]);
decorated(Rows, 'read', [Get('nothing'), Operation(operation('readNothing'))]);

class BenchModule {}
Module({ controllers: [Rows] })(BenchModule);

const MIGRATION = `CREATE TABLE bench_row (tenant_id uuid NOT NULL, id uuid NOT NULL, body jsonb NOT NULL, PRIMARY KEY (tenant_id, id));
${tenantTable('bench_row')}`;

/**
 * Starts that service on the system's PostgreSQL with its own gateway. Keys are checked by the system's identity service.
 * Returns the address of the gateway; the routes are `POST /bench-rows` and `POST /bench-rows/signed`, which answers with what `sign` gives.
 */
export async function startOneInsertService({ adminUrl, env, system, bus, sign }) {
  Rows.sign = sign;
  const passwords = { owner: 'bench-owner', app: 'bench-app' };
  const started = await startService(
    {
      name: 'bench',
      module: BenchModule,
      migrations: [{ name: 'bench_0001', sql: MIGRATION }],
      rows: [],
      replicas: [],
      customerData: { tables: [] },
    },
    {
      port: 0,
      host: '127.0.0.1',
      bus,
      databaseUrls: await provisionDatabase(adminUrl, 'bench', passwords),
      directory: new ServiceDirectory(),
      env,
    },
  );
  const services = new ServiceDirectory();
  // The gateway asks for eight names; the others' routes are there too and are never called.
  for (const service of system.services) services.set(service.name, service.url);
  services.set('notifications', started.url);
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: await freePort(),
    services,
    internalSecret: env.INTERNAL_SECRET,
    rateLimits: rateLimitsOf(env),
    logLevel: 'warn',
  });
  await gateway.ready();
  return { url: gateway.url, stop: () => gateway.stop().then(() => started.stop()) };
}
