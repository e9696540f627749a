import type { PageLanguage } from '@kontor/service-kit';

/** What the pages of the customer area say. */
interface AreaTexts {
  readonly logIn: string;
  readonly logInAs: (name: string) => string;
  readonly logInHint: string;
  readonly once: string;
  readonly area: string;
  readonly sandbox: string;
  readonly number: string;
  readonly email: string;
  readonly address: string;
  readonly signOut: string;
  readonly signedOut: string;
  readonly signedOutText: string;
  readonly gone: string;
  readonly goneText: string;
  readonly otherLanguage: string;
}

const de: AreaTexts = {
  logIn: 'Anmelden',
  logInAs: (name) => `Als ${name} anmelden`,
  logInHint: 'Mit einem Klick sind Sie im Kundenbereich.',
  once: 'Dieser Link gilt einmal und nur für kurze Zeit.',
  area: 'Kundenbereich',
  sandbox: 'Testumgebung',
  number: 'Kundennummer',
  email: 'E-Mail-Adresse',
  address: 'Anschrift',
  signOut: 'Abmelden',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Lassen Sie sich einen neuen Link schicken, wenn Sie sich wieder anmelden möchten.',
  gone: 'Dieser Link gilt nicht mehr',
  goneText: 'Er ist abgelaufen oder wurde schon benutzt. Lassen Sie sich einen neuen schicken.',
  otherLanguage: 'English',
};

const en: AreaTexts = {
  logIn: 'Log in',
  logInAs: (name) => `Log in as ${name}`,
  logInHint: 'One click takes you to the customer area.',
  once: 'This link works once and for a short time.',
  area: 'Customer area',
  sandbox: 'Test environment',
  number: 'Customer number',
  email: 'E-mail address',
  address: 'Address',
  signOut: 'Sign out',
  signedOut: 'You are signed out',
  signedOutText: 'Have a new link sent to you when you want to log in again.',
  gone: 'This link is no longer valid',
  goneText: 'It has expired or was already used. Have a new one sent to you.',
  otherLanguage: 'Deutsch',
};

export const AREA_TEXTS: Readonly<Record<PageLanguage, AreaTexts>> = { de, en };
