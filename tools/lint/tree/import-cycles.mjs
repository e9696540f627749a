import { dirname, join } from 'node:path/posix';

const IMPORT = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const SOURCE = /^(apps|libs|tools)\/[^/]+\/src\/.*\.ts$/;

/** No file imports itself, by whatever way round; types count. */
export function fileCycles(tree) {
  return cyclesOf(importsOf(tree)).map((cycle) => `import cycle between files: ${cycle.join(' → ')}`);
}

/**
 * The folders below an app's `src`, and those below its `domain`, form no cycle: each can be read, and moved, after those that
 * it imports.
 */
export function roomCycles(tree) {
  const imports = importsOf(tree);
  return [roomOf, ruleRoomOf].flatMap((room) => cyclesOfRooms(imports, room));
}

function cyclesOfRooms(imports, roomOf) {
  const rooms = new Map();
  for (const [file, targets] of imports) {
    const room = roomOf(file);
    if (!room) continue;
    const imported = rooms.get(room) ?? rooms.set(room, new Set()).get(room);
    for (const target of targets) if (roomOf(target) && roomOf(target) !== room) imported.add(roomOf(target));
  }
  return cyclesOf(rooms).map((cycle) => `import cycle between folders: ${cycle.join(' → ')}`);
}

/** `apps/billing/src/customers`; null for a file that lies in no folder, where modules are put together. */
const roomOf = (file) => /^(apps\/[^/]+\/src\/[^/]+)\//.exec(file)?.[1] ?? null;
/** `apps/billing/src/domain/rating` */
const ruleRoomOf = (file) => /^(apps\/[^/]+\/src\/domain\/[^/]+)\//.exec(file)?.[1] ?? null;

function importsOf(tree) {
  const imports = new Map();
  for (const [file, text] of tree) {
    if (!SOURCE.test(file) || file.endsWith('.spec.ts')) continue;
    const targets = [...text.matchAll(IMPORT)].map(([, to]) => join(dirname(file), to).replace(/\.js$/, '.ts'));
    imports.set(file, new Set(targets.filter((target) => tree.has(target))));
  }
  return imports;
}

/** One shortest cycle for each node that is on one, each cycle once. */
function cyclesOf(graph) {
  const found = new Map();
  for (const start of graph.keys()) {
    const cycle = shortestCycle(graph, start);
    if (cycle) found.set([...new Set(cycle)].sort().join(' '), cycle);
  }
  return [...found.values()];
}

function shortestCycle(graph, start) {
  const cameFrom = new Map();
  const queue = [start];
  while (queue.length > 0) {
    const node = queue.shift();
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...pathTo(node, cameFrom), start];
      if (!cameFrom.has(next)) queue.push(next) && cameFrom.set(next, node);
    }
  }
  return null;
}

function pathTo(node, cameFrom) {
  const path = [node];
  while (cameFrom.has(path[0])) path.unshift(cameFrom.get(path[0]));
  return path;
}
