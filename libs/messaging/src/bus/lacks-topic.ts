/** Whether the broker knows a topic no more: somebody deleted it, or the broker came back empty. kafkajs names the cause deep inside. */
export function lacksTopic(error: unknown): boolean {
  for (let cause = error as { type?: string; cause?: unknown } | undefined; cause; cause = cause.cause as typeof cause)
    if (cause.type === 'UNKNOWN_TOPIC_OR_PARTITION') return true;
  return false;
}
