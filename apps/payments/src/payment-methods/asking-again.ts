/** How often a method is tried whose provider has no credentials. */
export const UNCONFIGURED_AGAIN_AFTER_MS = 3_600_000;
/** How long a provider has before it is asked again. */
export const ASK_AGAIN_AFTER_MS = 60_000;
