import {
  CurrencyCode,
  Describe,
  MAX_LIST_ITEMS,
  NestedList,
  OptionalField,
  ReadOnly,
  RequiredField,
  TextFormat,
  Uuid,
} from '@kontor/service-kit';
import { ArrayMaxSize, IsArray, IsBoolean, IsString, Length, MaxLength } from 'class-validator';

export class CreateBankAccountDto {
  @ReadOnly() id?: string;
  @ReadOnly() createdAt?: string;

  @OptionalField()
  @IsString()
  @Length(1, 255)
  name?: string | null;

  @RequiredField()
  @IsString()
  @Length(5, 50)
  @TextFormat('iban')
  iban!: string;

  @OptionalField()
  @IsString()
  @Length(8, 11)
  @TextFormat('bic')
  bic?: string | null;

  @OptionalField()
  @CurrencyCode()
  currencyCode?: string | null;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @Length(4, 50, { each: true })
  @Describe('Other names under which files know the account, such as "12345678/1020304050" or "517852257".')
  accountIdentifications?: string[] | null;
}

/** One booking of a statement. What is wrong with its values is an error of that item alone. */
export class BankLineDto {
  @RequiredField()
  @IsString()
  @Length(1, 255)
  reference!: string;

  /** `YYYY-MM-DD`, or an instant of that day. */
  @RequiredField()
  @IsString()
  @MaxLength(40)
  bookingDate!: string;

  @OptionalField()
  @IsString()
  @MaxLength(40)
  valueDate?: string | null;

  /** Major units with a sign: `119.00`, `-20.00`. */
  @RequiredField()
  @IsString()
  @MaxLength(40)
  amount!: string;

  @RequiredField()
  @IsString()
  @MaxLength(10)
  currencyCode!: string;

  @OptionalField()
  @IsString()
  @MaxLength(255)
  counterpartyName?: string | null;

  @OptionalField()
  @IsString()
  @MaxLength(50)
  counterpartyIban?: string | null;

  @OptionalField()
  @IsString()
  @MaxLength(4000)
  remittanceInformation?: string | null;

  @OptionalField()
  @IsString()
  @MaxLength(255)
  endToEndId?: string | null;

  @OptionalField()
  @IsBoolean()
  isReturn?: boolean | null;
}

/** Of one list: as many items as the lists of a body may have. A file may have more. */
export const MAX_BANK_LINES = MAX_LIST_ITEMS;

export class ImportBankLinesDto {
  @RequiredField()
  @Uuid()
  bankAccountId!: string;

  @RequiredField()
  @NestedList(() => BankLineDto, { min: 1, max: MAX_BANK_LINES })
  transactions!: BankLineDto[];
}
