import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustomerData } from '@kontor/service-kit';

/** What this service knows of customers: mails, also those that lie as files in the data folder. */
export const customerData: CustomerData = {
  tables: [
    {
      table: 'mail',
      where: `t.status <> 'pending'`,
      erasure: 'delete',
      // Links in them give whoever reads them the recipient's access: to accounts, offers, payment methods.
      secret: ['text', 'html'],
      removeFiles: (ids, { dataDir }) => removeMailFiles(join(dataDir, 'mails'), ids),
    },
    {
      table: 'invoice_to_send',
      of: `t.state->>'customerId' = $2::text`,
      where: 't.mail_id IS NOT NULL',
      key: 'invoice_id',
      erasure: 'delete',
    },
  ],
};

/** Their names end with the mail's id. */
async function removeMailFiles(folder: string, ids: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const wanted = new Set(ids);
  for (const name of names) {
    const id = /-([0-9a-f-]{36})\.(eml|json)$/.exec(name)?.[1];
    if (id !== undefined && wanted.has(id)) await rm(join(folder, name), { force: true });
  }
}
