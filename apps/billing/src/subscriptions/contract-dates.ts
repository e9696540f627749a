import { validationFailed } from '@kontor/kernel';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { SubscriptionDto } from './subscription.dto.js';

const date = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** Start and end of a contract as a request names them. @throws DomainError `validation_failed` where it ends before it starts */
export function contractDates({
  contractDetails,
}: Pick<SubscriptionDto, 'contractDetails'>): Pick<SubscriptionRow, 'contractStart' | 'contractEnd'> {
  const contractStart = date(contractDetails?.contractStart);
  const contractEnd = date(contractDetails?.contractEnd);
  if (contractStart && contractEnd && contractEnd <= contractStart)
    throw validationFailed('contractDetails.contractEnd', 'contractEnd must be later than contractStart.', 'not_later');
  return { contractStart, contractEnd };
}
