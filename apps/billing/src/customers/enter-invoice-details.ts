import type { SaleInvoiceDetails } from '@kontor/contracts';
import type { Replicas, TenantTx } from '@kontor/persistence';
import { tenantOf } from '../settings/tenant.js';
import { startVatCheck } from './check-vat-id.js';
import { type CustomerNotice, lockCustomer, saveCustomer } from './customer-aggregate.js';
import { normalizedVatId } from './customer-input.js';
import { addAddress } from './write-address.js';

/** A customer gets the address, the VAT id and the Leitweg-ID that were named where something was bought. Returns its new version. */
export async function enterDetails(
  tx: TenantTx,
  replicas: Replicas,
  customerId: string,
  details: SaleInvoiceDetails,
): Promise<number> {
  const aggregate = await lockCustomer(tx, customerId);
  const { customer } = aggregate;
  const notices: CustomerNotice[] = [];
  const vatId = normalizedVatId(details.vatId);
  if (vatId !== null && vatId !== customer.vatId) {
    customer.vatId = vatId;
    notices.push({ type: 'customer.updated', metadata: { changed: ['vatId'] } });
    notices.push(...(await startVatCheck(tx, customer, (await tenantOf(tx, replicas))?.mode ?? 'live')));
  }
  if (details.leitwegId && details.leitwegId !== customer.settings['leitwegId']) {
    customer.settings = { ...customer.settings, leitwegId: details.leitwegId };
    notices.push({ type: 'customer.updated', metadata: { changed: ['settings.leitwegId'] } });
  }
  const { companyName, firstName, lastName, street, houseNumber, zip, city, addition, countryCode } = details;
  const { notices: added } = await addAddress(tx, aggregate, {
    type: 'TYPE_DEFAULT',
    companyName: companyName ?? customer.companyName,
    firstName: firstName ?? customer.firstName,
    lastName: lastName ?? customer.lastName,
    street,
    houseNumber,
    zip,
    city,
    addition,
    countryCode,
  });
  await saveCustomer(tx, aggregate, [...notices, ...added]);
  return customer.version;
}
