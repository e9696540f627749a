/** Stands for the tenant of what belongs to none: a request for login links of an address, whoever has it. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000';
