const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A subscription as its customer may see it: without the names that products and prices have for colleagues. */
export function withoutInternals<Json>(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutInternals) as Json;
  if (!isPlain(json)) return json;
  const shown = Object.entries(json).map(([key, value]) => {
    if (key === 'internalName') return [key, null];
    return [key, key === 'customFields' ? value : withoutInternals(value)];
  });
  return Object.fromEntries(shown) as Json;
}
