/** Imported before everything else: on an older Node the libraries would fail with a stack that explains nothing. */
const REQUIRED = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < REQUIRED) {
  process.stderr.write(
    `Node ${REQUIRED} or later is required, this is ${process.versions.node}: start with "npm start", which brings its own.\n`,
  );
  process.exit(1);
}
