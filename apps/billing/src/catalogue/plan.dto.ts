import {
  BodyExample,
  DecimalString,
  exampleIdOf,
  IntervalString,
  Nested,
  NestedList,
  OptionalField,
  ReadOnly,
  Uuid,
} from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { TextField } from '../fields.js';
import { CatalogueObjectDto } from './catalogue.dto.js';

export class PlanItemDto {
  @Uuid() pricePlan!: string;
  @OptionalField() @DecimalString({ min: '0', max: '1000000000000' }) quantity?: string | null;
}

export class PlanPeriodDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
  @OptionalField() @IsInt() @Min(1) @Max(1000) contractPeriodCount?: number | null;
  @OptionalField() @IntervalString() contractPeriod?: string | null;
  @OptionalField() @IntervalString() cancellationPeriod?: string | null;
}

export const PLAN_STATUSES = ['draft', 'active', 'archived'] as const;
export const CHANGE_BEHAVIOURS = [
  'upgradeable_and_downgradeable',
  'upgradeable',
  'downgradeable',
  'not_changeable',
] as const;

@BodyExample({
  code: 'team',
  name: 'Team',
  status: 'active',
  items: [{ pricePlan: exampleIdOf('pricePlan'), quantity: '2' }],
})
export class PlanDto extends CatalogueObjectDto {
  @TextField() code!: string;
  @TextField() name!: string;
  @OptionalField() @TextField({ blank: true, max: 5000 }) description?: string | null;
  @OptionalField() @Uuid() family?: string | null;
  @OptionalField() @Uuid() originProduct?: string | null;
  @OptionalField() @IsBoolean() allowCheckout?: boolean | null;
  @OptionalField() @IsIn(PLAN_STATUSES) status?: (typeof PLAN_STATUSES)[number] | null;
  @OptionalField() @IsIn(CHANGE_BEHAVIOURS) changeBehaviour?: (typeof CHANGE_BEHAVIOURS)[number] | null;
  @OptionalField() @IsIn(['end_of_period', 'immediately']) changeApplyBehaviour?:
    'end_of_period' | 'immediately' | null;
  @OptionalField() @IsInt() @Min(0) @Max(1_000_000) rank?: number | null;
  @OptionalField() @NestedList(() => PlanItemDto, { max: 100 }) items?: PlanItemDto[] | null;
  @OptionalField() @Nested(() => PlanPeriodDto) period?: PlanPeriodDto | null;
}
