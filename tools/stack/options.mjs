// Command line and environment of `npm run stack`.
export const SERVICES = [
  'identity',
  'billing',
  'usage',
  'invoicing',
  'payments',
  'offers',
  'webhooks',
  'notifications',
];
const APPS = [...SERVICES, 'api-gateway'];

/** A reason not to start, printed as one line. */
export class CannotStart extends Error {}

/** How many processes of each app: `--replicas billing=2`, as often as needed. */
export function replicasOf(args) {
  const counts = Object.fromEntries(APPS.map((app) => [app, 1]));
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split(/=(.*)/s);
    if (flag !== '--replicas') throw new CannotStart(`"${args[i]}" is not an option here: --replicas <app>=<n>.`);
    const [app, count] = (inline ?? args[++i] ?? '').split('=');
    if (!APPS.includes(app))
      throw new CannotStart(`--replicas ${app ?? ''}: the app must be one of ${APPS.join(', ')}.`);
    if (!/^[1-9]\d?$/.test(count ?? ''))
      throw new CannotStart(`--replicas ${app}=${count ?? ''}: give a number from 1 to 99.`);
    counts[app] = Number(count);
  }
  return counts;
}
