import type { Migration } from '@kontor/persistence';

/** What a completed import held, so that another file under its id is not answered as if it were in. */
export const contentsOfImports: Migration = {
  name: 'usage_0061_contents_of_imports',
  sql: 'ALTER TABLE usage_import ADD COLUMN digest text;',
};
