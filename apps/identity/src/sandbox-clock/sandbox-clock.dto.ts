import { InstantString, RequiredField } from '@kontor/service-kit';

export class AdvanceClockDto {
  /** Where the clock is to stop; everything due up to and including this instant happens. */
  @RequiredField()
  @InstantString()
  to!: string;
}
