import type { OperationOptions } from '@kontor/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Person } from '../accounts/person.js';
import { languageOf } from './browser.js';
import type { AccountPage } from './page-parts.js';

/** What all pages of an account are, for the document. */
export const openPage = {
  tag: 'Public pages',
  permission: null,
  signsIn: true,
  success: 200,
  responseType: 'text/html',
  query: { lang: { type: 'string' } },
} as const;

const EXAMPLES: Readonly<Record<string, string>> = {
  email: 'ada.berg@nordlicht.example',
  password: 'correct horse battery',
  newPassword: 'a much better one',
  firstName: 'Ada',
  lastName: 'Berg',
  action: 'sign_out',
  next: '/public/account',
};

/** A form with these fields, all of which are texts that may be missing. */
export const formOf = (
  fields: readonly string[],
): Pick<OperationOptions, 'rawBody' | 'requestType' | 'requestBody' | 'examples'> => ({
  rawBody: true,
  requestType: 'application/x-www-form-urlencoded',
  requestBody: { type: 'object', properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])) },
  examples: { request: Object.fromEntries(fields.map((name) => [name, EXAMPLES[name] ?? 'x'])) },
});

export const pageOf = (request: FastifyRequest, person?: Pick<Person, 'language'> | null): AccountPage => ({
  language: languageOf(request, person),
  path: request.url.split('?', 1)[0]!,
});
