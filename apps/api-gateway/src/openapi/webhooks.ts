import { WEBHOOK_EVENTS } from '@kontor/contracts';

type Json = Record<string, unknown>;

/** The component that an object of `data` has, where it is not called like its key. */
const COMPONENTS: Readonly<Record<string, string>> = {
  price: 'PricePlan',
  payment: 'PaymentTransaction',
  topUp: 'WalletTopUp',
  feature: 'EntitlementFeature',
  activity: 'CustomerActivity',
  bankTransaction: 'BankTransaction',
  webhook: 'Webhook',
};

const reference = (component: string): Json => ({ $ref: `#/components/schemas/${component}` });

const text = (description: string, example: unknown, schema: Json = {}): Json => ({
  type: 'string',
  description,
  ...schema,
  examples: [example],
});

const event = (type: string): Json => ({
  type: 'object',
  description: 'What happened.',
  required: ['id', 'type', 'version', 'createdAt', 'sequence'],
  properties: {
    id: text('Id of the delivery: the same on repeats.', '01J8ZC4N6Q9V2K3M5P7R8S0T1W'),
    type: { const: type, description: 'Name of the event.' },
    version: { const: 'v1', description: 'Version of the schema.' },
    createdAt: text('When it happened.', '2026-03-01T09:00:00.000Z', { format: 'date-time' }),
    sequence: { type: 'integer', description: 'Counts the events of one object, from 1.', examples: [1] },
  },
});

/** What GET alone says of an offer. @see docs/rules/offers.md#webhook-form */
const NOT_SENT_OF_OFFERS: ReadonlySet<string> = new Set([
  'items',
  'totals',
  'recurring',
  'sale',
  'approvers',
  'approval',
  'reminderDays',
  'createdAt',
  'updatedAt',
]);
/** What of an offer belongs to others; it is sent empty. */
const EMPTY_OF_OFFERS: Readonly<Record<string, Json>> = {
  customer: { type: 'object', maxProperties: 0, description: 'Always empty; GET has it.' },
  subscription: { type: 'object', maxProperties: 0, description: 'Always empty; GET has it.' },
  recipients: { type: 'array', maxItems: 0, items: {}, description: 'Always empty; GET has them.' },
  purchaseOrderDocument: { type: 'null', description: 'Always null; GET has it.' },
  auditLogDocument: { type: 'null', description: 'Always null; GET has it.' },
  signedDocument: { type: 'null', description: 'Always null; GET has it.' },
  contactPerson: { type: 'null', description: 'Always null; GET has it.' },
};

const sentOffer = (offer: Json): Json => {
  const all = Object.entries(offer['properties'] as Json);
  const sent = all.filter(([name]) => !NOT_SENT_OF_OFFERS.has(name));
  return {
    type: 'object',
    required: sent.map(([name]) => name),
    properties: { ...Object.fromEntries(sent), ...EMPTY_OF_OFFERS },
  };
};

/** Objects that no operation answers as they are sent. */
const objectsIn = (schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, Json>> => ({
  ...('Money' in schemas && {
    wallet: {
      type: 'object',
      required: ['id', 'customerId', 'currencyCode', 'balance'],
      properties: {
        id: text('Id of the wallet.', '0190a000-0000-7000-8000-000000000001', { format: 'uuid' }),
        customerId: text('Whose it is.', '0190a000-0000-7000-8000-000000000001', { format: 'uuid' }),
        currencyCode: text('ISO 4217 code of the currency.', 'EUR'),
        balance: reference('Money'),
      },
    },
  }),
  ...('Offer' in schemas && { offer: sentOffer(schemas['Offer'] as Json) }),
  ...('UsageThreshold' in schemas && {
    usage: {
      allOf: [
        reference('UsageThreshold'),
        {
          type: 'object',
          required: ['reachedValue', 'period', 'customer'],
          properties: {
            reachedValue: text('What was used when it was noticed, as decimal text.', '10000'),
            period: {
              type: 'object',
              description: "The month of the customer's time zone, half-open.",
              required: ['from', 'to'],
              properties: {
                from: text('Its first moment.', '2026-02-28T23:00:00.000Z', { format: 'date-time' }),
                to: text('The first moment after it.', '2026-03-31T22:00:00.000Z', { format: 'date-time' }),
              },
            },
            customer: { ...reference('Customer'), description: 'The customer.' },
          },
        },
      ],
    },
  }),
});

const SALES_CHANNEL = {
  type: ['object', 'null'],
  description: 'The sales channel; null: none.',
  properties: {
    id: { type: 'string', description: 'Its id.' },
    name: { type: 'string', description: 'Its technical name.' },
    brandName: { type: 'string', description: 'Its name for people.' },
  },
};

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header('X-Webhook-Event', 'Name of the event.', 'invoice.paid'),
  header('X-Webhook-Event-Version', 'Version of the schema.', 'v1'),
  header('X-Webhook-Id', 'Id of the delivery, equal to `event.id`.', '01J8ZC4N6Q9V2K3M5P7R8S0T1W'),
  header('X-Webhook-Signature', "Hex HMAC-SHA256 of the body, keyed with the receiver's secret.", '5257a869e7…'),
  header('X-Tenant-Id', 'The organisation.', '0190a000-0000-7000-8000-0000000000aa'),
  header('X-Sales-Channel', 'Technical name of the sales channel.', 'default'),
];

/** Every event that receivers can ask for, with its payload: the object as GET answered it at that time, offers without what is nested. */
export function webhooksOf(schemas: Readonly<Record<string, unknown>>): Record<string, Json> {
  const others = objectsIn(schemas);
  return Object.fromEntries(
    Object.entries(WEBHOOK_EVENTS).map(([type, { key, description }]) => {
      const named = COMPONENTS[key] ?? `${key[0]!.toUpperCase()}${key.slice(1)}`;
      const object = others[key] ?? (named in schemas ? reference(named) : { type: 'object', description });
      const data = { type: 'object', description: 'The object.', required: [key], properties: { [key]: object } };
      const schema = {
        type: 'object',
        required: ['event', 'salesChannel', 'data'],
        properties: { event: event(type), salesChannel: SALES_CHANNEL, data },
      };
      const post = {
        operationId: `on${type.replace(/(^|[._])(\w)/g, (_match, _point, letter: string) => letter.toUpperCase())}`,
        summary: description,
        description: `${description} Answer with a 2xx status within 15 seconds; else it is delivered again.`,
        tags: ['Webhooks'],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { '2XX': { description: 'Taken.' }, '410': { description: 'Gone: the receiver is switched off.' } },
      };
      return [type, { post }];
    }),
  );
}
