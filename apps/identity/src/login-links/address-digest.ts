import type { TenantTx } from '@kontor/persistence';

/** What stands for an address once it is no longer needed: the limit still counts it. SQL over a text. */
export const digestOfAddress = (text: string): string =>
  `'sha256:' || encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Links are made: who asked for them is not kept. */
export async function forgetAddress(tx: TenantTx, requestId: string): Promise<void> {
  await tx.query(
    `UPDATE login_request SET email = ${digestOfAddress('email')}
     WHERE tenant_id = $1 AND id = $2 AND NOT starts_with(email, 'sha256:')`,
    [tx.tenantId, requestId],
  );
}
