import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/**
 * Effective billing settings of the tenant: every key of `/settings/billing` with its value, and `customFieldDefinitions`
 * (object, key, type, options, required) of the custom-fields configuration. The id is the tenant's.
 */
export const SettingsState = Type.Record(Type.String(), Type.Unknown());

export const settingsChangedV1 = defineEvent({
  type: 'billing.settings.changed.v1',
  topic: 'billing.settings',
  description: 'The billing settings of the tenant changed.',
  schema: stateOf(SettingsState),
  example: {
    id: exampleId(2),
    version: 1,
    deleted: false,
    state: { paymentTermDays: 14, creditOverpayments: false },
    notices: [],
  },
});
