/** A key of the HTTP API without its secret, which is shown once and stored as a digest. */
export interface ApiKey {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** Where it may be used from; null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
  /** Real time, known to the minute. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The key that took its place; it goes on until it expires. */
  readonly replacedBy: string | null;
  readonly createdAt: Date;
}

/** `GET /api-keys`: never the secret. */
export const representApiKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  permissions: [...key.permissions],
  allowedIps: key.allowedIps ? [...key.allowedIps] : null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  createdAt: key.createdAt.toISOString(),
});
