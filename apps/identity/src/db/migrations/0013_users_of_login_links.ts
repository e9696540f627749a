import type { Migration } from '@kontor/persistence';

/** In which browser a link was used: its second click is part of the first. */
export const usersOfLoginLinks: Migration = {
  name: '0013_users_of_login_links',
  sql: 'ALTER TABLE login_link ADD COLUMN used_by bytea;',
};
