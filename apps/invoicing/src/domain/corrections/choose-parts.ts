import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import type { Decimal } from '@kontor/money';
import { fitTaxes } from './fit-taxes.js';
import { isNothing, type Rest, takeAll, takeAmount, takeQuantity, type Taken } from './rest.js';

/** What of a position is to be credited; neither quantity nor amount: all that is left of it. */
export interface WantedPart {
  readonly id: string;
  readonly quantity: Decimal | null;
  /** Net after discount, minor units. */
  readonly netMinor: bigint | null;
}

const exceeds = (propertyPath: string, message: string): DomainError =>
  new DomainError('credit_exceeds_rest', {
    detail: message,
    violations: [{ propertyPath, message, code: 'credit_exceeds_rest' }],
  });

/**
 * What a credit takes of an invoice's rest, in the order of the invoice; `wanted` null: all of it, as it is.
 * @throws DomainError `credit_exceeds_rest`, `unknown_reference`, `validation_failed` (a position named twice).
 */
export function chooseParts(
  rests: readonly Rest[],
  wanted: readonly WantedPart[] | null,
  currencyCode: string,
): Taken[] {
  const taken =
    wanted === null
      ? rests.flatMap((rest) => takeAll(rest) ?? [])
      : fitTaxes(rests, namedParts(rests, wanted), currencyCode);
  if (taken.length === 0) throw exceeds('positions', 'Nothing of the invoice is left to be credited.');
  return taken;
}

/**
 * What a cancellation takes: all that is left, or the lines of an invoice that never cost anything.
 * @throws DomainError `credit_exceeds_rest`: nothing is left
 */
export const chooseAll = (rests: readonly Rest[], currencyCode: string): Taken[] =>
  rests.every(({ position }) => isNothing(position))
    ? rests.map((rest) => ({ ...rest }))
    : chooseParts(rests, null, currencyCode);

function namedParts(rests: readonly Rest[], wanted: readonly WantedPart[]): Taken[] {
  const chosen = new Map<string, Taken>();
  wanted.forEach((part, index) => {
    const rest = rests.find(({ position }) => position.id === part.id);
    if (!rest) throw unknownReference(`positions[${index}].id`, 'position');
    if (chosen.has(part.id))
      throw validationFailed(`positions[${index}].id`, 'A position is named twice.', 'duplicate');
    const taken = takePart(rest, part);
    if (!taken) throw exceeds(`positions[${index}]`, `"${rest.position.name}" has less left than that to be credited.`);
    chosen.set(part.id, taken);
  });
  return rests.flatMap(({ position }) => chosen.get(position.id) ?? []);
}

function takePart(rest: Rest, { quantity, netMinor }: WantedPart): Taken | null {
  if (quantity) return takeQuantity(rest, quantity);
  return netMinor === null ? takeAll(rest) : takeAmount(rest, netMinor);
}
