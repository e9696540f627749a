import type { Violation } from '@kontor/kernel';
import type { CouponRow } from '../db/catalogue.row.js';
import { refuse } from '../settings/check-custom-fields.js';
import type { CouponDto } from './coupon.dto.js';

type Terms = Pick<
  CouponRow,
  'type' | 'percentage' | 'fixedAmountMinor' | 'currencyCode' | 'frequency' | 'frequencyInterval'
>;
type Input = Pick<CouponDto, 'type' | 'percentage' | 'fixedAmount' | 'frequency' | 'frequencyInterval'>;

/** The terms that a body stands for. @throws DomainError `validation_failed` where they contradict each other */
export function discountTermsOf(body: Input): Terms {
  refuse(discountViolations(body));
  return {
    type: body.type,
    percentage: body.percentage ?? null,
    fixedAmountMinor: body.fixedAmount ? BigInt(body.fixedAmount.amount) : null,
    currencyCode: body.fixedAmount?.currencyCode ?? null,
    frequency: body.frequency,
    frequencyInterval: body.frequencyInterval ?? null,
  };
}

const given = (value: unknown): boolean => value !== undefined && value !== null;

function discountViolations(body: Input): Violation[] {
  const violations: Violation[] = [];
  const wanted = (property: keyof Input, isWanted: boolean, when: string): void => {
    if (given(body[property]) === isWanted) return;
    violations.push({
      propertyPath: property,
      message: `${property} is ${isWanted ? 'required' : 'not allowed'} for the ${when}.`,
      code: isWanted ? 'required' : 'not_allowed',
    });
  };
  wanted('percentage', body.type === 'percentage', `type ${body.type}`);
  wanted('fixedAmount', body.type === 'fixed_amount', `type ${body.type}`);
  wanted('frequencyInterval', body.frequency === 'limited', `frequency ${body.frequency}`);
  return violations;
}
