import type { Principal } from '@kontor/contracts';
import { DomainError, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, invalidRequest, Operation } from '@kontor/service-kit';
import { Body, Controller, Post } from '@nestjs/common';
import { isMeasurementError, type MeasurementError, readMeasurement } from '../domain/measurements/read-measurement.js';
import {
  SubscriptionMeasurement,
  SubscriptionMeasurements,
  SubscriptionMeasurementsResult,
} from './measurement.schema.js';
import { RecordBatch } from './record-batch.js';
import { RecordMeasurements } from './record-measurements.js';

const tag = 'Subscriptions';
const MAX_BATCH = 1000;

@Controller('subscription-measurements')
export class SubscriptionMeasurementsController {
  constructor(
    private readonly database: Database,
    private readonly record: RecordMeasurements,
    private readonly recordBatch: RecordBatch,
  ) {}

  @Post()
  @Operation({
    id: 'createSubscriptionMeasurement',
    summary: 'Record the measured quantity of a subscription item',
    tag,
    permission: 'subscription:write',
    success: 204,
    requestBody: SubscriptionMeasurement,
    description: [
      'A `recurring` measurement changes the quantity of its item: from the end of what is paid, in arrears for',
      'the running period; with `fairBilling` the time at each quantity counts. A `metered` one is counted over',
      'the period and billed at its end. Without `subscriptionItem` the one item of the subscription that is',
      'measured by it is meant. A known `transactionId` is ignored. Refusals: `measurement_in_future`,',
      '`period_already_billed`, `subscription_ended`, `subscription_not_active`, `ambiguous_subscription_item`,',
      '`unknown_reference`.',
    ].join(' '),
  })
  async create(@Caller() { tenantId }: Principal, @Body() body: unknown): Promise<void> {
    const sent = readMeasurement(body);
    if (isMeasurementError(sent)) throw refusal(sent);
    await this.database.tenant(tenantId, async (tx) => {
      const [resolved] = await this.record.resolve(tx, [sent]);
      if (!resolved || resolved instanceof DomainError) throw resolved ?? new DomainError('unknown_reference');
      const [outcome] = await this.record.execute(tx, resolved.subscriptionId, [resolved]);
      if (outcome instanceof DomainError) throw outcome;
    });
  }

  @Post('batch')
  @Operation({
    id: 'createSubscriptionMeasurements',
    summary: 'Record up to 1000 measured quantities',
    tag,
    permission: 'subscription:write',
    success: 202,
    requestBody: SubscriptionMeasurements,
    response: SubscriptionMeasurementsResult,
    description: 'What is wrong with one of them is in `errors`; the others are accepted.',
  })
  createMany(@Caller() { tenantId }: Principal, @Body() body: unknown) {
    return this.recordBatch.execute(tenantId, itemsOf(body));
  }
}

function itemsOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body must be a JSON object.');
  const refuse = (message: string, code: string): DomainError =>
    invalidRequest(message, [{ propertyPath: 'measurements', message, code }]);
  const { measurements, ...others } = body as { measurements?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const message = `The field ${unknown} is unknown.`;
    throw invalidRequest(message, [{ propertyPath: unknown, message, code: 'unknown_field' }], 'unknown_field');
  }
  if (measurements === undefined || measurements === null)
    throw refuse('The field measurements is required.', 'required');
  if (!Array.isArray(measurements)) throw refuse('The field measurements must be a list.', 'invalid_type');
  if (measurements.length < 1 || measurements.length > MAX_BATCH)
    throw refuse(`The field measurements must have 1 to ${MAX_BATCH} items.`, 'invalid_length');
  return measurements;
}

const refusal = ({ field, code, message, malformed }: MeasurementError): DomainError =>
  malformed
    ? invalidRequest(
        message,
        [{ propertyPath: field, message, code }],
        code === 'unknown_field' ? code : 'invalid_request',
      )
    : validationFailed(field, message, code);
