import type { PageLanguage } from '@kontor/service-kit';
import type { Scope } from '../../domain/oauth-scopes.js';

/** What the pages of a sign-in say. */
interface OauthTexts {
  readonly signIn: string;
  readonly signInLead: (app: string) => string;
  readonly email: string;
  readonly emailProblem: string;
  readonly sendLink: string;
  readonly sandbox: string;
  readonly mailSent: string;
  readonly mailSentText: (email: string) => string;
  readonly mailSentHint: string;
  readonly goOn: string;
  readonly goOnAs: (name: string) => string;
  readonly goOnLead: (app: string) => string;
  readonly otherBrowser: string;
  readonly otherBrowserText: string;
  readonly linkGone: string;
  readonly linkGoneText: string;
  readonly consent: (app: string) => string;
  readonly consentLead: (app: string, seller: string) => string;
  readonly scopes: Readonly<Record<Exclude<Scope, 'kontor'>, string>>;
  readonly allow: string;
  readonly deny: string;
  readonly signOut: string;
  readonly signOutLead: string;
  readonly stay: string;
  readonly signedOut: string;
  readonly signedOutText: string;
  readonly leaving: string;
  readonly oneMoment: string;
  readonly switchAccount: string;
  readonly switchAccountText: string;
  readonly error: string;
  readonly errorText: string;
  readonly expired: string;
  readonly expiredText: string;
  readonly otherLanguage: string;
}

const de: OauthTexts = {
  signIn: 'Anmelden',
  signInLead: (app) => `Melden Sie sich an, um ${app} zu benutzen.`,
  email: 'E-Mail-Adresse',
  emailProblem: 'Bitte geben Sie Ihre E-Mail-Adresse an.',
  sendLink: 'Link zum Anmelden schicken',
  sandbox: 'Testumgebung',
  mailSent: 'Sehen Sie in Ihr Postfach',
  mailSentText: (email) => `Wenn wir ${email} kennen, haben wir einen Link dorthin geschickt. Er gilt 15 Minuten.`,
  mailSentHint: 'Öffnen Sie ihn in diesem Browser.',
  goOn: 'Weiter',
  goOnAs: (name) => `Als ${name} anmelden`,
  goOnLead: (app) => `Mit einem Klick geht es weiter zu ${app}.`,
  otherBrowser: 'Bitte öffnen Sie den Link im selben Browser',
  otherBrowserText:
    'Die Anmeldung wurde in einem anderen Browser begonnen, oder sie ist abgelaufen. Niemand ist angemeldet.',
  linkGone: 'Dieser Link gilt nicht mehr',
  linkGoneText: 'Er ist abgelaufen oder wurde schon benutzt. Lassen Sie sich einen neuen schicken.',
  consent: (app) => `${app} Zugriff erlauben?`,
  consentLead: (app, seller) => `${app} bittet um Zugriff auf Ihr Kundenkonto bei ${seller}:`,
  scopes: {
    openid: 'Ihr Name und Ihre E-Mail-Adresse',
    offline: 'Zugriff auch, wenn Sie nicht angemeldet sind',
    'entitlements.read': 'Welche Funktionen Sie gebucht haben',
  },
  allow: 'Erlauben',
  deny: 'Ablehnen',
  signOut: 'Abmelden',
  signOutLead: 'Möchten Sie sich von allen Anwendungen abmelden?',
  stay: 'Angemeldet bleiben',
  signedOut: 'Sie sind abgemeldet',
  signedOutText: 'Sie können diese Seite schließen.',
  leaving: 'Die Anwendungen erfahren es gerade …',
  oneMoment: 'Einen Moment …',
  switchAccount: 'Mit einem anderen Konto anmelden',
  switchAccountText: 'Sie sind noch mit einem anderen Konto angemeldet. Dort werden Sie jetzt abgemeldet.',
  error: 'Das hat nicht geklappt',
  errorText:
    'Die Anwendung hat eine Anmeldung begonnen, die so nicht möglich ist. Bitte wenden Sie sich an deren Anbieter.',
  expired: 'Diese Anmeldung ist abgelaufen',
  expiredText: 'Bitte beginnen Sie in der Anwendung von vorn.',
  otherLanguage: 'English',
};

const en: OauthTexts = {
  signIn: 'Sign in',
  signInLead: (app) => `Sign in to use ${app}.`,
  email: 'E-mail address',
  emailProblem: 'Please enter your e-mail address.',
  sendLink: 'Send a link to sign in',
  sandbox: 'Test environment',
  mailSent: 'Look into your mail',
  mailSentText: (email) => `If we know ${email}, we have sent a link there. It is valid for 15 minutes.`,
  mailSentHint: 'Open it in this browser.',
  goOn: 'Continue',
  goOnAs: (name) => `Sign in as ${name}`,
  goOnLead: (app) => `One click takes you on to ${app}.`,
  otherBrowser: 'Please open the link in the same browser',
  otherBrowserText: 'The sign-in was begun in another browser, or it has expired. Nobody is signed in.',
  linkGone: 'This link is no longer valid',
  linkGoneText: 'It has expired or was already used. Have a new one sent to you.',
  consent: (app) => `Allow ${app} access?`,
  consentLead: (app, seller) => `${app} asks for access to your customer account at ${seller}:`,
  scopes: {
    openid: 'Your name and your e-mail address',
    offline: 'Access also while you are not signed in',
    'entitlements.read': 'Which features you have booked',
  },
  allow: 'Allow',
  deny: 'Deny',
  signOut: 'Sign out',
  signOutLead: 'Do you want to sign out of all applications?',
  stay: 'Stay signed in',
  signedOut: 'You are signed out',
  signedOutText: 'You can close this page.',
  leaving: 'The applications are just learning of it …',
  oneMoment: 'One moment …',
  switchAccount: 'Sign in with another account',
  switchAccountText: 'You are still signed in with another account. You will be signed out there now.',
  error: 'That did not work',
  errorText: 'The application began a sign-in that is not possible like this. Please contact its provider.',
  expired: 'This sign-in has expired',
  expiredText: 'Please start again in the application.',
  otherLanguage: 'Deutsch',
};

export const OAUTH_TEXTS: Readonly<Record<PageLanguage, OauthTexts>> = { de, en };
