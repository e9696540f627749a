import type { Principal, RecordPaymentRequest, RecordPaymentResponse } from '@kontor/contracts';
import { isUuid, notFound, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, Internal } from '@kontor/service-kit';
import { Body, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { GatewayOutcome } from '../domain/gateways/gateway-outcome.js';
import { RecordPayment } from './record-payment.js';
import { SettleCollections } from '../collections/settle-collections.js';

/** For invoicing: `POST /invoices/{id}/payments`. */
@Internal('payments')
export class PaymentsInternal {
  constructor(
    private readonly record: RecordPayment,
    private readonly settle: SettleCollections,
    private readonly database: Database,
  ) {}

  @Post('record')
  @HttpCode(200)
  async recordPayment(@Caller() caller: Principal, @Body() body: unknown): Promise<RecordPaymentResponse> {
    const request = body as RecordPaymentRequest;
    if (!isUuid(request.invoiceId)) throw validationFailed('invoiceId', 'invoiceId must be a UUID.', 'invalid_uuid');
    return this.record.execute(caller.tenantId, {
      operationId: request.operationId,
      invoiceId: request.invoiceId,
      paymentMethodId: request.paymentMethodId,
      description: request.description,
      amount: request.amount ?? null,
      currencyCode: request.currencyCode ?? null,
      feeAmount: request.feeAmount ?? null,
      paymentDate: request.paymentDate ?? null,
    });
  }

  /** What became of an operation whose answer was lost; 404 when it never arrived. */
  @Get('record/:operationId')
  async recorded(
    @Caller() caller: Principal,
    @Param('operationId') operationId: string,
  ): Promise<RecordPaymentResponse> {
    const found = await this.record.find(caller.tenantId, operationId);
    if (!found) throw notFound('The operation');
    return found;
  }

  /**
   * A gateway's later word on a collection, however often it comes. `{ outcome }`; answers whether it changed
   * something.
   */
  @Post('collections/:transactionId/outcome')
  @HttpCode(200)
  async outcome(
    @Caller() caller: Principal,
    @Param('transactionId') transactionId: string,
    @Body() body: unknown,
  ): Promise<{ changed: boolean }> {
    if (!isUuid(transactionId)) throw notFound('The transaction');
    const { outcome } = body as { outcome: GatewayOutcome };
    const changed = await this.database.tenant(caller.tenantId, (tx) =>
      this.settle.execute(tx, new Map([[transactionId, outcome]])),
    );
    return { changed: changed > 0 };
  }
}
