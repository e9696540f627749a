/** `tenantId` → `tenant_id`: how a property's column is named, everywhere. */
export const camelToSnake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
