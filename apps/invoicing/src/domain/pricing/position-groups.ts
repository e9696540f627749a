import { Liquid, type Template } from 'liquidjs';
import type { Position, SubscriptionReference } from '../invoices/position.js';

/** Small limits: the template is the tenant's text, a headline is short. */
const engine = new Liquid({
  strictFilters: false,
  strictVariables: false,
  parseLimit: 10_000,
  renderLimit: 50,
  memoryLimit: 100_000,
  ownPropertyOnly: true,
});
const MAX_LENGTH = 255;
const MAX_TEMPLATES = 1000;
const parsed = new Map<string, Template[] | null>();

/** Thousands of documents share a template; parse it once. Null when it does not parse. */
function parse(template: string): Template[] | null {
  const known = parsed.get(template);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_TEMPLATES) parsed.clear();
  let templates: Template[] | null = null;
  try {
    templates = engine.parse(template);
  } catch {
    // A broken template must not stop a billing run: the subscription's name is the headline then.
  }
  parsed.set(template, templates);
  return templates;
}

/**
 * The headline over a subscription's positions. `template` is Liquid with `subscription.name`, `.number`, `.poNumber`,
 * `.customFields.<key>`; null, broken or empty: the subscription's name, else its number.
 * @see docs/rules/invoices.md#position-groups
 */
export function groupName(subscription: SubscriptionReference, template: string | null): string {
  const fallback = subscription.name ?? subscription.number ?? 'Subscription';
  const templates = template === null ? null : parse(template);
  if (!templates) return fallback;
  try {
    const text = String(engine.renderSync(templates, { subscription })).replace(/\s+/g, ' ').trim();
    return text.slice(0, MAX_LENGTH) || fallback;
  } catch {
    return fallback;
  }
}

/**
 * Puts the positions of several subscriptions under a headline each, in order of first appearance; one subscription
 * alone needs none. Headlines that were given by hand stay.
 */
export function withSubscriptionGroups<P extends Position>(positions: readonly P[], template: string | null): P[] {
  const subscriptions = new Map<string, SubscriptionReference>();
  for (const { subscription } of positions)
    if (subscription && !subscriptions.has(subscription.id)) subscriptions.set(subscription.id, subscription);
  const grouped = subscriptions.size > 1;
  const ranking = new Map([...subscriptions.keys()].map((id, index) => [id, index + 1]));
  return positions.map((position) => {
    const { subscription } = position;
    if (!subscription || (position.groupId !== null && position.groupId !== subscription.id)) return position;
    if (!grouped) return { ...position, groupId: null, groupName: null, groupRanking: null };
    return {
      ...position,
      groupId: subscription.id,
      groupName: groupName(subscription, template),
      groupRanking: ranking.get(subscription.id) ?? null,
    };
  });
}
