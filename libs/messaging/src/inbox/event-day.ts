/** The UTC day (`YYYY-MM-DD`) in an event's id (UUIDv7), moved by `days`: it partitions the inbox. */
export function dayOfEvent(eventId: string, days = 0): string {
  const ms = Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);
  return new Date(ms + days * 86_400_000).toISOString().slice(0, 10);
}
