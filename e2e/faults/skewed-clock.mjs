// Loaded before a service (`node --import`): its clock is as far ahead of the machine's as the file CLOCKS says, as on a machine
// of its own.
import { readFileSync } from 'node:fs';

const LOOK_MS = 100;
const app = /apps\/([\w-]+)\/dist/.exec(process.argv[1] ?? '')?.[1];

if (app) {
  const Machine = globalThis.Date;
  const machineNow = Machine.now;
  let aheadMs = 0;
  const look = () => {
    aheadMs = JSON.parse(readFileSync(process.env.CLOCKS, 'utf8'))[app] ?? 0;
  };
  look();
  setInterval(look, LOOK_MS).unref();
  Machine.now = () => machineNow() + aheadMs;
  globalThis.Date = new Proxy(Machine, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [target.now()], made),
  });
  Machine.prototype.constructor = globalThis.Date;
}
