import { DomainError, isLeitwegId } from '@kontor/kernel';
import type { EInvoiceType } from '../domain/invoices/invoice.js';

/** What a draft asks of its e-invoice. @throws DomainError 422 `invalid_leitweg_id`. */
export function eInvoiceInput(dto: {
  readonly eInvoiceType?: EInvoiceType | null;
  readonly leitwegId?: string | null;
}): {
  eInvoiceType: EInvoiceType | null;
  leitwegId: string | null;
} {
  const leitwegId = dto.leitwegId ?? null;
  if (leitwegId !== null && !isLeitwegId(leitwegId))
    throw new DomainError('invalid_leitweg_id', {
      detail: 'The Leitweg-ID is not formed as one, or its check digits are wrong.',
      violations: [
        { propertyPath: 'leitwegId', message: 'Has the wrong form or check digits.', code: 'invalid_leitweg_id' },
      ],
    });
  return { eInvoiceType: dto.eInvoiceType ?? null, leitwegId };
}
