import { BodyExample, InstantString, OptionalField } from '@kontor/service-kit';

@BodyExample({ dueDate: null })
export class FinalizeDto {
  @OptionalField() @InstantString() dueDate?: string | null;
}
