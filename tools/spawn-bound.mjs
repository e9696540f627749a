// Servers that nobody can ask to end when the one who started them is killed.
import { spawn, spawnSync } from 'node:child_process';

/** Linux's own means; elsewhere a server outlives a parent that was killed. */
const BIND = ['setpriv', '--pdeathsig', 'KILL', '--'];
const canBind = process.platform === 'linux' && spawnSync(BIND[0], [...BIND.slice(1), 'true']).status === 0;

/** Like `spawn`; the process ends with this one, however that ends. */
export function spawnBound(command, args, options) {
  const [program, ...rest] = canBind ? [...BIND, command, ...args] : [command, ...args];
  return spawn(program, rest, options);
}
