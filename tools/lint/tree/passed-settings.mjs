const README = 'README.md';
const COMPOSE = 'docker-compose.yml';
const ROW = /^\| *((?:`[A-Z][A-Z_]*`(?:, )?)+) *\|/gm;
/** The image's own. */
const OF_THE_IMAGE = new Set(['HOST', 'DATA_DIR']);
/** Instead of an administrator's URL, for each service by itself. */
const OF_ONE_SERVICE = new Set(['DATABASE_URL', 'DATABASE_OWNER_URL']);

/** A setting that the README names and the compose file does not pass on would be set, and do nothing. */
export function unpassedSettings(tree) {
  const compose = tree.get(COMPOSE);
  if (compose === undefined) return [];
  const named = [...(tree.get(README) ?? '').matchAll(ROW)].flatMap(([, names]) => names.match(/[A-Z][A-Z_]*/g));
  return named
    .filter((name) => !OF_THE_IMAGE.has(name) && !OF_ONE_SERVICE.has(name))
    .filter((name) => !new RegExp(`^ *${name}:`, 'm').test(compose))
    .map((name) => `${COMPOSE} does not pass ${name} to the services, which ${README} says is a setting`);
}
