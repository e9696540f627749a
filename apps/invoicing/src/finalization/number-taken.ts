import { DomainError } from '@kontor/kernel';

const UNIQUE_VIOLATION = '23505';

/** Whether the database refuses a document because another one has its number. */
export function isNumberTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'invoice_number';
}

/** 422: an imported document, or one of an earlier format, has the number that comes next. */
export const numberTaken = (): DomainError =>
  new DomainError('number_taken', {
    detail:
      'The next number is that of another document, which was imported or has its number from an earlier format. ' +
      'Give `numberFormats` of the billing settings another format.',
  });
