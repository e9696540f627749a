import { boundTemplates, storableText, TemplateTime } from '@kontor/kernel';
import { Liquid, type Template } from 'liquidjs';
import type { Position, SubscriptionReference } from '../invoices/position.js';

/** Of all headlines of a document together: there may be a thousand, and nobody else has a turn before the last one is written. */
const RENDER_MS = 250;
const MAX_STEPS = 100_000;

/** Small limits: the template is the tenant's text, a headline is short. */
const engine = boundTemplates(
  new Liquid({
    strictFilters: false,
    strictVariables: false,
    parseLimit: 10_000,
    renderLimit: RENDER_MS,
    memoryLimit: 100_000,
    ownPropertyOnly: true,
  }),
);
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
 * The headline over a subscription's positions; over those of another customer its name and number. `template` is Liquid
 * with `subscription.name`, `.number`, `.poNumber`, `.customFields.<key>`; null, broken or empty: the subscription's
 * name, else its number.
 * @see docs/rules/invoices.md#position-groups
 */
export function groupName(
  subscription: SubscriptionReference,
  template: string | null,
  time = new TemplateTime(RENDER_MS),
): string {
  const { customer } = subscription;
  if (customer) return storableText(`${customer.name} (${customer.number})`, MAX_LENGTH);
  const fallback = subscription.name ?? subscription.number ?? 'Subscription';
  const templates = template === null ? null : parse(template);
  if (!templates) return fallback;
  try {
    const text = time
      .share(() => engine.renderSync(templates, { subscription }))
      .replace(/\s+/g, ' ')
      .trim();
    return storableText(text, MAX_LENGTH) || fallback;
  } catch {
    return fallback;
  }
}

/** All positions of another customer, who leaves its invoices to this one, are one group. */
const groupIdOf = ({ id, customer }: SubscriptionReference): string => customer?.id ?? id;

/**
 * Puts the positions of several subscriptions under a headline each, in order of first appearance; one subscription
 * of the customer itself alone needs none. Headlines that were given by hand stay.
 */
export function withSubscriptionGroups<P extends Position>(positions: readonly P[], template: string | null): P[] {
  const groups = new Map<string, SubscriptionReference>();
  for (const { subscription } of positions)
    if (subscription && !groups.has(groupIdOf(subscription))) groups.set(groupIdOf(subscription), subscription);
  const grouped = groups.size > 1 || [...groups.values()].some(({ customer }) => customer);
  const ranking = new Map([...groups.keys()].map((id, index) => [id, index + 1]));
  const time = new TemplateTime(RENDER_MS, MAX_STEPS);
  const names = new Map<string, string>();
  const nameOf = (subscription: SubscriptionReference): string => {
    const known = names.get(subscription.id) ?? groupName(subscription, template, time);
    names.set(subscription.id, known);
    return known;
  };
  return positions.map((position) => {
    const { subscription } = position;
    if (!subscription) return position;
    const groupId = groupIdOf(subscription);
    if (position.groupId !== null && position.groupId !== groupId) return position;
    if (!grouped) return { ...position, groupId: null, groupName: null, groupRanking: null };
    return {
      ...position,
      groupId,
      groupName: nameOf(subscription),
      groupRanking: ranking.get(groupId) ?? null,
    };
  });
}
