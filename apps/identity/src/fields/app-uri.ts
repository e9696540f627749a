import { FieldCheck } from '@kontor/service-kit';
import { APP_URI_START, refusalOfAppUri } from '../domain/redirect-uris.js';

/** An address that browsers are led back to. */
export const AppUri = (options: { each?: boolean } = {}): PropertyDecorator =>
  FieldCheck(
    {
      code: 'invalid_uri',
      message:
        'must be an https URL without user, fragment, wildcard or dots as parts of its path (http for localhost and 127.0.0.1)',
      types: ['string'],
      schema: { format: 'uri', pattern: APP_URI_START },
      holds: (value) => typeof value === 'string' && refusalOfAppUri(value) === null,
    },
    options,
  );
