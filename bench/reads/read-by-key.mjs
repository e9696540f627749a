// What a read costs at least: the same gateway and service, the same guard and tenant transaction, one SELECT by key.
import { Controller, Get } from '@nestjs/common';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { Database } from '@kontor/persistence';

/** A controller for a module of its own; the decorators are called by hand, as this file is not compiled. */
class ReadByKey {
  constructor(database) {
    this.database = database;
  }

  read({ tenantId }, id) {
    const statement = 'SELECT id FROM customer WHERE tenant_id = $1 AND id = $2';
    return this.database.tenant(tenantId, async (tx) => (await tx.query(statement, [tenantId, id]))[0], {
      pipelined: true,
    });
  }
}

const method = [ReadByKey.prototype, 'read', Object.getOwnPropertyDescriptor(ReadByKey.prototype, 'read')];
Controller()(ReadByKey);
Reflect.defineMetadata('design:paramtypes', [Database], ReadByKey);
Reflect.defineMetadata('design:paramtypes', [Object, String], ReadByKey.prototype, 'read');
Get('bench/customers/:id')(...method);
Operation({ id: 'readByKey', summary: 'SELECT by key', tag: 'Bench', permission: 'customer:read' })(...method);
Caller()(ReadByKey.prototype, 'read', 0);
IdParam('id')(ReadByKey.prototype, 'read', 1);

/** Adds `GET /bench/customers/{id}` to a service that is started after it. */
export function addReadByKey({ module }) {
  const controllers = Reflect.getMetadata('controllers', module) ?? [];
  Reflect.defineMetadata('controllers', [...controllers, ReadByKey], module);
}
