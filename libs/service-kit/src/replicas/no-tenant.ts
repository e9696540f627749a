/** Stands in the service token of a call that is about no tenant, or about several. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';
