import type { Principal, TenantState } from '@kontor/contracts';
import { validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { reachOf, refusalOfAddress } from '@kontor/service-kit';

/** Escaped, an address may be longer than it was sent. */
const MAX_URL = 2048;

/**
 * The address as it is stored and sent to, in the form of the URL standard: trimmed, host in lower case, numbers as dots.
 * @throws DomainError `validation_failed` for an address that this tenant's webhooks may not go to.
 */
export async function checkUrl(
  tx: TenantTx,
  { replicas, publicUrl }: { readonly replicas: Replicas; readonly publicUrl: string },
  principal: Principal,
  url: string,
): Promise<string> {
  const tenant = await replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
  const mode = tenant?.mode ?? principal.mode ?? 'live';
  const refusal = refusalOfAddress(url, reachOf(mode, publicUrl));
  if (refusal !== null) throw validationFailed('url', `url ${refusal}.`, 'invalid_url');
  const { href } = new URL(url);
  if (href.length > MAX_URL)
    throw validationFailed('url', `url must have at most ${MAX_URL} characters.`, 'invalid_length');
  return href;
}
