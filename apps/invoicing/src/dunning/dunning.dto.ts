import { Describe, MoneyDto, MoneyField, OptionalField, ReadOnly, RequiredField } from '@kontor/service-kit';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { DUNNING_TYPES, type DunningType } from '../domain/dunning/dunning-document.js';

/** Body of `POST` and `PUT /dunning/overdue-rules`. */
export class DunningRuleDto {
  @ReadOnly() id?: string;

  @RequiredField()
  @IsInt()
  @Min(1)
  @Max(100)
  @Describe('Level from 1; levels follow each other in order, each exists once.')
  level!: number;

  @RequiredField()
  @IsInt()
  @Min(0)
  @Max(3650)
  @Describe('Days after the due date for the first level, after the document before for each later one.')
  daysOverdue!: number;

  @OptionalField()
  @IsInt()
  @Min(0)
  @Max(365)
  @Describe('Days until the payment that the letter asks for: 7.')
  dueInDays?: number | null;

  @OptionalField()
  @IsIn(DUNNING_TYPES)
  @Describe('Unless given: a reminder at level 1, dunning above.')
  type?: DunningType | null;

  @OptionalField()
  @MoneyField()
  @Describe('Without VAT; not charged for invoices in another currency.')
  feeAmount?: MoneyDto | null;

  @OptionalField()
  @IsBoolean()
  @Describe('The mail brings the invoice along: false.')
  attachOriginalInvoice?: boolean | null;

  @OptionalField() @IsBoolean() isEnabled?: boolean | null;
  @ReadOnly() createdAt?: string;
  @ReadOnly() updatedAt?: string;
}

/** Body of `PUT /invoices/{id}/dunning`. */
export class InvoiceDunningDto {
  @RequiredField() @IsBoolean() dunningDisabled!: boolean;
}
