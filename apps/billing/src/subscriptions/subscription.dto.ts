import {
  BodyExample,
  DecimalString,
  Describe,
  exampleIdOf,
  InstantString,
  IntervalString,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
  StringMap,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { PlanPeriodDto } from '../catalogue/plan.dto.js';
import { DISCOUNT_FREQUENCIES, DISCOUNT_TYPES, DiscountAmountDto } from '../catalogue/coupon.dto.js';
import { CHANGE_CREDITS, type ChangeCredit } from '../domain/subscriptions/planned-change.js';
import type { ChangeTiming } from '../domain/subscriptions/change-direction.js';
import { TextField } from '../fields.js';

const MAX_TRIAL_DAYS = 3650;

type RequestedTiming = 'immediate' | 'end_of_period' | 'immediately' | 'custom';

/** When a change takes effect. */
const TimingField =
  (): PropertyDecorator =>
  (target, property): void => {
    for (const decorate of [
      OptionalField(),
      IsIn(['immediately', 'end_of_period', 'immediate', 'custom']),
      Describe(
        "When absent: custom with a changeDate, else the plan's changeApplyBehaviour, else end_of_period. immediate is another word for immediately.",
      ),
    ])
      decorate(target, property);
  };

/** Other terms of the timing. */
class ChangeTimingDto {
  @TimingField() timing?: RequestedTiming | null;
  @OptionalField()
  @InstantString()
  @Describe("For custom: the day of it, in the customer's zone, is the first of the new price or quantity.")
  changeDate?: string | null;
  @OptionalField()
  @IsIn(CHANGE_CREDITS)
  @Describe(
    'What goes back when the day lies inside a paid period: the unused days (default), the whole line, nothing.',
  )
  credit?: ChangeCredit | null;
}

/** The customer that has brought a subscription or looks after it. */
const PartnerField =
  (): PropertyDecorator =>
  (target, property): void => {
    for (const decorate of [OptionalField(), Uuid(), Describe('A customer that has brought it or looks after it.')])
      decorate(target, property);
  };

/** A coupon to redeem. */
const CouponField =
  (): PropertyDecorator =>
  (target, property): void => {
    for (const decorate of [OptionalField(), TextField({ max: 100 }), Describe('Code or id of a coupon to redeem.')])
      decorate(target, property);
  };

/** Another price or quantity from a time after the item's first billed day on. */
export class PhaseDto {
  @RequiredField()
  @IntervalString()
  @Describe("Counted from the item's first billed day (after a trial).")
  after!: string;
  @OptionalField() @Uuid() @Describe('As it is by then when absent.') pricePlan?: string | null;
  @OptionalField()
  @DecimalString({ min: '0', max: '999999999999', scale: 9 })
  @Describe('As it is by then when absent.')
  quantity?: string | null;
}

export class NewItemDto {
  @RequiredField() @Uuid() pricePlan!: string;
  @OptionalField() @DecimalString({ min: '0', max: '999999999999', scale: 9 }) quantity?: string | null;
  @OptionalField() @TextField({ blank: true }) name?: string | null;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @CouponField() coupon?: string | null;
  @OptionalField() @InstantString() startDate?: string | null;
  @OptionalField()
  @NestedList(() => PhaseDto, { max: 50 })
  @Describe('Later prices or quantities (a ramp), in their order.')
  phases?: PhaseDto[] | null;
}

class AddedItemDto extends NewItemDto {
  @OptionalField()
  @Uuid()
  @Describe('An item of the subscription that this one belongs to and ends with.')
  parent?: string | null;
}

export class ContractDetailsDto {
  @OptionalField() @InstantString() contractStart?: string | null;
  @OptionalField() @InstantString() contractEnd?: string | null;
}

class SubscriptionFields {
  @ReadOnly() id?: string;
  @ReadOnly() number?: string;
  @ReadOnly() status?: string;
  @ReadOnly() periods?: unknown;
  @ReadOnly() activatedAt?: string;
  @ReadOnly() trialEndsOn?: string;
  @ReadOnly() defaultPaymentMethod?: boolean;
  @ReadOnly() defaultInvoiceAddress?: boolean;
  @ReadOnly() nextBillingDate?: string;
  @ReadOnly() lastBillingAt?: string;
  @ReadOnly() cancellationDate?: string;
  @ReadOnly() cancelledAt?: string;
  @ReadOnly() cancellationReason?: unknown;
  @ReadOnly() isCancellationPending?: boolean;
  @ReadOnly() nextPossibleCancellationDate?: unknown;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @OptionalField() @TextField({ blank: true }) name?: string | null;
  @OptionalField() @TextField({ blank: true }) externalId?: string | null;
  @OptionalField() @TextField({ blank: true }) poNumber?: string | null;
  @OptionalField() @Nested(() => ContractDetailsDto) contractDetails?: ContractDetailsDto | null;
  @OptionalField() @StringMap() customFields?: Record<string, string> | null;
  @OptionalField() @Nested(() => PlanPeriodDto) period?: PlanPeriodDto | null;
}

@BodyExample({
  customer: exampleIdOf('customer'),
  items: [{ pricePlan: exampleIdOf('pricePlan'), quantity: '5' }],
  activate: true,
})
export class NewSubscriptionDto extends SubscriptionFields {
  @RequiredField() @Uuid() customer!: string;
  @OptionalField() @Uuid() plan?: string | null;
  @OptionalField() @NestedList(() => NewItemDto, { max: 100 }) items?: NewItemDto[] | null;
  @OptionalField() @InstantString() billingStart?: string | null;
  @OptionalField() @IsInt() @Min(0) @Max(MAX_TRIAL_DAYS) trialDays?: number | null;
  @OptionalField() @Uuid() billingGroup?: string | null;
  @OptionalField() @Uuid() paymentMethod?: string | null;
  @OptionalField() @Uuid() invoiceAddress?: string | null;
  @OptionalField()
  @TextField({ max: 100 })
  @Describe('Code or id of a coupon for all lines that it is for; redeemed once.')
  coupon?: string | null;
  @OptionalField() @IsBoolean() activate?: boolean | null;
  @PartnerField() partner?: string | null;
}

/** Replaces what can be replaced; parties, items and billing have other operations. */
@BodyExample({ name: 'Team', poNumber: 'PO-4711' })
export class SubscriptionDto extends SubscriptionFields {
  @ReadOnly() customer?: unknown;
  @ReadOnly() plan?: unknown;
  @ReadOnly() items?: unknown;
  @ReadOnly() billingGroup?: unknown;
  @ReadOnly() paymentMethod?: unknown;
  @ReadOnly() invoiceAddress?: unknown;
  @ReadOnly() billingStart?: unknown;
  @ReadOnly() trialDays?: unknown;
  @PartnerField() partner?: string | null;
}

@BodyExample({ billImmediately: true })
export class ActivateDto {
  @OptionalField() @IsInt() @Min(0) @Max(MAX_TRIAL_DAYS) trialDays?: number | null;
  @OptionalField() @InstantString() billingStart?: string | null;
  @OptionalField() @IsBoolean() billImmediately?: boolean | null;
}

@BodyExample({ billMissedPeriods: false })
export class ResumeDto {
  @OptionalField() @InstantString() nextBillingDate?: string | null;
  @OptionalField() @IsBoolean() billMissedPeriods?: boolean | null;
}

@BodyExample({ cancellationDateType: 'next_possible', reason: 'Too expensive' })
export class CancelDto {
  @RequiredField() @IsIn(['immediate', 'next_possible', 'custom']) cancellationDateType!:
    'immediate' | 'next_possible' | 'custom';
  @OptionalField() @InstantString() cancellationDate?: string | null;
  @OptionalField() @TextField({ blank: true, max: 1000 }) reason?: string | null;
  @OptionalField()
  @IsBoolean()
  @Describe('True when absent: the customer gets a mail that confirms it.')
  sendConfirmationEmail?: boolean | null;
}

@BodyExample({ cancellationDateType: 'next_possible' })
export class ItemCancelDto {
  /** Default: next_possible, the end of what is paid. */
  @OptionalField() @IsIn(['immediate', 'next_possible', 'custom']) cancellationDateType?:
    'immediate' | 'next_possible' | 'custom' | null;
  @OptionalField() @InstantString() cancellationDate?: string | null;
  @OptionalField() @TextField({ blank: true, max: 1000 }) reason?: string | null;
}

@BodyExample({ trialEndsOn: '2036-03-01T09:00:00.000Z' })
export class ExtendTrialDto {
  @RequiredField() @InstantString() trialEndsOn!: string;
}

@BodyExample({ invoiceAddress: null })
export class InvoiceAddressDto {
  @OptionalField() @Uuid() invoiceAddress?: string | null;
}

/** Null or nothing: no group. */
@BodyExample({ billingGroup: exampleIdOf('billingGroup') })
export class BillingGroupChoiceDto {
  @OptionalField() @Uuid() billingGroup?: string | null;
}

/** Null or nothing: the customer's default. */
@BodyExample({ paymentMethodId: null })
export class PaymentMethodChoiceDto {
  @OptionalField() @Uuid() paymentMethodId?: string | null;
  @OptionalField() @Uuid() paymentMethod?: string | null;
}

/** Several items, or the fields of a single one. */
@BodyExample({ items: [{ pricePlan: exampleIdOf('pricePlan'), quantity: '1' }] })
export class AddProductsDto {
  @OptionalField() @NestedList(() => AddedItemDto, { min: 1, max: 100 }) items?: AddedItemDto[] | null;
  @OptionalField() @Uuid() pricePlan?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999999', scale: 9 }) quantity?: string | null;
  @OptionalField() @TextField({ blank: true }) name?: string | null;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @CouponField() coupon?: string | null;
  @OptionalField() @InstantString() startDate?: string | null;
  @OptionalField() @NestedList(() => PhaseDto, { max: 50 }) phases?: PhaseDto[] | null;
  @OptionalField() @Uuid() parent?: string | null;
}

@BodyExample({ quantity: '3', timing: 'end_of_period' })
export class ItemPatchDto extends ChangeTimingDto {
  @OptionalField() @TextField({ blank: true }) name?: string | null;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999999', scale: 9 }) quantity?: string | null;
  @CouponField() coupon?: string | null;
}

/** A coupon, or the terms of a discount by hand. */
@BodyExample({ name: 'Loyalty', type: 'percentage', percentage: '5', frequency: 'lifetime' })
export class NewDiscountDto {
  @CouponField() coupon?: string | null;
  @OptionalField() @TextField() @Describe('Without a coupon: shown on invoices.') name?: string | null;
  @OptionalField() @IsIn(DISCOUNT_TYPES) type?: (typeof DISCOUNT_TYPES)[number] | null;
  @OptionalField() @DecimalString({ min: '0', max: '100', scale: 6 }) percentage?: string | null;
  @OptionalField() @Nested(() => DiscountAmountDto) fixedAmount?: DiscountAmountDto | null;
  @OptionalField() @IsIn(DISCOUNT_FREQUENCIES) frequency?: (typeof DISCOUNT_FREQUENCIES)[number] | null;
  @OptionalField() @IsInt() @Min(1) @Max(1000) frequencyInterval?: number | null;
}

@BodyExample({ quantity: '3', timing: 'immediately', credit: 'pro_rata' })
export class ItemChangeDto extends ChangeTimingDto {
  @OptionalField() @Uuid() pricePlan?: string | null;
  @OptionalField() @DecimalString({ min: '0', max: '999999999999', scale: 9 }) quantity?: string | null;
}

@BodyExample({ plan: exampleIdOf('plan'), timing: 'end_of_period', preview: true })
export class PlanChangeDto extends ChangeTimingDto {
  @RequiredField() @Uuid() plan!: string;
  @OptionalField() @IsBoolean() @Describe('True: nothing is changed.') preview?: boolean | null;
}

@BodyExample({ credit: 'pro_rata' })
export class TerminateDto {
  @OptionalField()
  @IsIn(['none', 'pro_rata'])
  @Describe('pro_rata: unused time that was paid for is credited at once. Default: none.')
  credit?: 'none' | 'pro_rata' | null;
}

/** A request as it is understood: `immediate` is `immediately`. */
export const withTiming = <T extends { readonly timing?: RequestedTiming | null }>(
  body: T,
): Omit<T, 'timing'> & { readonly timing?: ChangeTiming | null } => ({
  ...body,
  timing: body.timing === 'immediate' ? 'immediately' : body.timing,
});
export type ItemPatch = ReturnType<typeof withTiming<ItemPatchDto>>;
