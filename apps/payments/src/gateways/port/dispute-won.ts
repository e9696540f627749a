import type { Log } from '@kontor/service-kit';

/**
 * Money that a dispute had taken is there again. A payment that was booked as returned stays so: what it is worth by now, after fees and
 * whatever was paid since, a person decides.
 */
export function reportWonDispute(
  log: Pick<Log, 'warn'>,
  dispute: { readonly gateway: string; readonly eventId: string; readonly payment: unknown },
): void {
  log.warn(dispute, 'a dispute was won: if the payment is booked as returned, its money has to be recorded by hand');
}
