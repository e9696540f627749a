import { InstantString, OptionalField } from '@kontor/service-kit';

export class FinalizeDto {
  @OptionalField() @InstantString() dueDate?: string | null;
}
