/** How many people approve an offer, and how often its signers are reminded: the same in the settings and in an offer. */
export const OFFER_BOUNDS = { approvers: 20, reminders: 5, reminderDays: { min: 1, max: 90 } } as const;
