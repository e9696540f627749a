import { type ErasureObstaclesResponse, SERVICES } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { cancelDue, Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { InternalClient, obstaclesIn, ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { customerData } from '../customer-data.js';
import { VAT_CHECK } from '../customers/check-vat-id.js';
import { lockMergedCustomer, saveCustomer } from '../customers/customer-aggregate.js';
import { paysForOthers } from '../customers/payers.js';
import type { AnonymizationRow } from '../db/anonymization.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { lockAccount } from '../subscriptions/agreement.js';

/** Due work: what is known of a customer is taken away everywhere. */
export const ANONYMIZATION = 'billing.anonymization';

type Obstacles = ErasureObstaclesResponse['obstacles'];

/**
 * Takes a customer's name and addresses away at once, and has everything else of it taken away by all services; what a law wants kept
 * stays. Asked again it answers how far it is.
 * @see docs/rules/customers.md#anonymization
 * @throws DomainError `not_found`; `customer_in_use` while something is open; ServiceUnavailable when a service does not answer
 */
@Injectable()
export class AnonymizeCustomer {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, customerId: string): Promise<AnonymizationRow> {
    const known = await this.database.tenant(tenantId, (tx) => find(tx, customerId), { readOnly: true });
    if (known) return known;
    refuse(await this.obstaclesElsewhere(tenantId, customerId));
    const { row, version } = await this.database.tenant(tenantId, (tx) => begin(tx, customerId));
    if (version !== null) await this.freshness.copied('customer', tenantId, customerId, version);
    return row;
  }

  /** @throws DomainError `not_found` where none was asked for */
  async read(tenantId: string, customerId: string): Promise<AnonymizationRow> {
    const row = await this.database.tenant(tenantId, (tx) => find(tx, customerId), { readOnly: true });
    if (!row) throw notFound('Anonymization');
    return row;
  }

  private async obstaclesElsewhere(tenantId: string, customerId: string): Promise<Obstacles> {
    const path = `/internal/customers/${customerId}/obstacles`;
    const answers = await Promise.all(
      SERVICES.filter((service) => service !== 'billing').map((service) =>
        this.internal.call<ErasureObstaclesResponse>(service, 'GET', path, undefined, { tenantId }),
      ),
    );
    return answers.flatMap(({ obstacles }) => obstacles);
  }
}

/** Null where none was asked for. @throws DomainError `not_found` for a customer that does not exist */
async function find(tx: TenantTx, customerId: string): Promise<AnonymizationRow | null> {
  const row = await tables.anonymizations.findOne(tx, { customerId });
  if (!row && !(await tables.customers.get(tx, customerId))) throw notFound('Customer');
  return row;
}

async function begin(tx: TenantTx, customerId: string): Promise<{ row: AnonymizationRow; version: number | null }> {
  await lockAccount(tx, customerId);
  // Two requests at once: the second one finds what the first has begun.
  const known = await find(tx, customerId);
  if (known) return { row: known, version: null };
  const { customer } = await lockMergedCustomer(tx, customerId);
  refuse([...(await obstaclesIn(tx, customerData, customerId)), ...(await familyObstacles(tx, customerId))]);
  Object.assign(customer, nobody(customer), { anonymizedAt: tx.now });
  await cancelDue(tx, VAT_CHECK, customerId);
  await saveCustomer(tx, { customer, addresses: [] }, [{ type: 'customer.anonymized' }]);
  const begunAt = new Date();
  const row: AnonymizationRow = {
    tenantId: tx.tenantId,
    customerId,
    requestedAt: tx.now,
    begunAt,
    rounds: 0,
    completedAt: null,
    parts: [],
  };
  await tables.anonymizations.insert(tx, [row]);
  await scheduleDue(tx, { kind: ANONYMIZATION, ref: customerId, dueAt: begunAt, wall: true });
  return { row, version: customer.version };
}

async function familyObstacles(tx: TenantTx, customerId: string): Promise<Obstacles> {
  if (!(await paysForOthers(tx, customerId))) return [];
  return [{ code: 'pays_for_others', message: 'It gets the invoices of its children.' }];
}

/** The number stays, it is on the documents; so does the account in the bookkeeping. */
const nobody = ({ id, language }: CustomerRow): Partial<CustomerRow> => ({
  status: 'STATUS_ARCHIVED',
  externalId: null,
  email: `${id}@anonymized.invalid`,
  invoiceEmail: null,
  phone: null,
  companyName: language === 'de' ? 'Anonymisiert' : 'Anonymized',
  firstName: null,
  lastName: null,
  vatId: null,
  vatIdStatus: 'unchecked',
  vatIdValidatedAt: null,
  parentCustomerId: null,
  invoicesTo: 'self',
  customerGroupId: null,
  customFields: null,
  settings: {},
});

/** @throws DomainError `customer_in_use` with everything that has to end before */
function refuse(obstacles: Obstacles): void {
  if (obstacles.length === 0) return;
  throw new DomainError('customer_in_use', {
    detail: `The customer cannot be anonymized yet. ${obstacles.map(({ message }) => message).join(' ')}`,
    violations: obstacles.map(({ code, message }) => ({ propertyPath: '', message, code })),
  });
}
