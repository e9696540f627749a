import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation, WriteExport } from '@kontor/service-kit';
import { Controller, Get, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { findCustomer } from '../customers/customer.read.js';

@Controller('customers')
export class ExportCustomerController {
  constructor(
    private readonly database: Database,
    private readonly writeExport: WriteExport,
  ) {}

  @Get(':id/export')
  @Operation({
    id: 'exportCustomer',
    summary: 'Everything that is known of a customer',
    description:
      'For requests under Art. 15 and 20 GDPR. A ZIP archive with a folder for each service: every table with rows of the customer as JSON and ' +
      'as CSV (UTF-8), and its files. It is sent while it is written. Digests and secrets are left out. Since it goes across all services, it ' +
      'needs a key with every permission.',
    tag: 'Customers',
    permission: '*',
    whenClosed: true,
    responseType: 'application/zip',
  })
  async export(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const customer = await this.database.tenant(tenantId, (tx) => findCustomer(tx, id), { readOnly: true });
    const archive = await this.writeExport.execute({ tenantId, customerId: customer.id }, new Date());
    void reply.header('cache-control', 'private, no-store');
    const disposition = `attachment; filename="customer_${customer.id}.zip"`;
    return new StreamableFile(archive, { type: 'application/zip', disposition });
  }
}
