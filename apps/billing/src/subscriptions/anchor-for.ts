import type { Day, Interval } from '@kontor/kernel';
import { alignToGroup, type BillingGroupDate } from '../domain/periods/billing-group.js';

/** Anchor of an interval that begins on a day: the day, unless a billing group aligns it. */
export const anchorFor =
  (group: BillingGroupDate | null) =>
  (day: Day, interval: Interval): Day =>
    group ? alignToGroup(group, day, interval) : day;
