import { BodyExample, InstantString, RequiredField } from '@kontor/service-kit';

@BodyExample({ to: '2036-03-01T09:00:00.000Z' })
export class AdvanceClockDto {
  /** Where the clock is to stop; everything due up to and including this instant happens. */
  @RequiredField()
  @InstantString()
  to!: string;
}
