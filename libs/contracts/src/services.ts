/** Every process of the system, in start order of their names; the gateway owns no data. */
export const SERVICES = [
  'identity',
  'billing',
  'usage',
  'invoicing',
  'payments',
  'offers',
  'webhooks',
  'notifications',
] as const;
export type ServiceName = (typeof SERVICES)[number];
