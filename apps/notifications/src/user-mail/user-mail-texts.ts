import type { UserMail } from '@kontor/contracts';
import type { MailLanguage } from '../domain/mails/wording.js';

/** Liquid; `seller` is the tenant's name. */
export interface UserMailText {
  readonly subject: string;
  readonly headline: string;
  readonly opening: string;
  /** Null where there is nothing to click. */
  readonly button: string | null;
  readonly safety: string;
}

const de: Readonly<Record<UserMail['kind'], UserMailText>> = {
  invitation: {
    subject: 'Einladung zu {{ seller }}',
    headline: 'Einladung',
    opening: 'Sie sind eingeladen, mit {{ seller }} zu arbeiten.',
    button: 'Einladung annehmen',
    safety: 'Der Link gilt sieben Tage und einmal. Sie erwarten keine Einladung? Dann müssen Sie nichts tun.',
  },
  password_reset: {
    subject: 'Neues Passwort',
    headline: 'Neues Passwort',
    opening: 'mit dem folgenden Link setzen Sie ein neues Passwort.',
    button: 'Neues Passwort setzen',
    safety: 'Der Link gilt eine Stunde und einmal. Sie haben das nicht angefordert? Dann müssen Sie nichts tun.',
  },
  email_change: {
    subject: 'Neue E-Mail-Adresse bestätigen',
    headline: 'Neue E-Mail-Adresse',
    opening: 'bitte bestätigen Sie, dass Sie sich künftig mit dieser E-Mail-Adresse anmelden.',
    button: 'E-Mail-Adresse bestätigen',
    safety: 'Der Link gilt eine Stunde und einmal. Sie haben das nicht angefordert? Dann müssen Sie nichts tun.',
  },
  email_changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    headline: 'E-Mail-Adresse geändert',
    opening: 'Sie melden sich ab jetzt mit einer anderen E-Mail-Adresse an als mit dieser.',
    button: null,
    safety: 'Sie waren das nicht? Bitte wenden Sie sich gleich an eine Administratorin oder einen Administrator.',
  },
  password_changed: {
    subject: 'Ihr Passwort wurde geändert',
    headline: 'Passwort geändert',
    opening: 'das Passwort Ihres Kontos ist neu. Überall sonst wurden Sie abgemeldet.',
    button: null,
    safety: 'Sie waren das nicht? Bitte wenden Sie sich gleich an eine Administratorin oder einen Administrator.',
  },
  second_factor_changed: {
    subject: 'Ihre Anmeldung wurde geändert',
    headline: 'Anmeldung geändert',
    opening:
      'ein Passkey oder die Bestätigung in zwei Schritten wurde eingerichtet oder entfernt, oder sie hat neue Wiederherstellungscodes.',
    button: null,
    safety: 'Sie waren das nicht? Bitte wenden Sie sich gleich an eine Administratorin oder einen Administrator.',
  },
  account_deleted: {
    subject: 'Ihr Konto wurde gelöscht',
    headline: 'Konto gelöscht',
    opening:
      'Ihr Konto ist gelöscht, mit Ihrem Namen, dieser E-Mail-Adresse und allem, womit Sie sich angemeldet haben.',
    button: null,
    safety: 'Sie waren das nicht? Bitte wenden Sie sich gleich an eine Administratorin oder einen Administrator.',
  },
};

const en: Readonly<Record<UserMail['kind'], UserMailText>> = {
  invitation: {
    subject: 'Invitation to {{ seller }}',
    headline: 'Invitation',
    opening: 'you are invited to work with {{ seller }}.',
    button: 'Accept invitation',
    safety: 'The link is valid for seven days and once. You do not expect this? Then there is nothing you need to do.',
  },
  password_reset: {
    subject: 'New password',
    headline: 'New password',
    opening: 'please use the following link to set a new password.',
    button: 'Set a new password',
    safety: 'The link is valid for an hour and once. You did not ask for this? Then there is nothing you need to do.',
  },
  email_change: {
    subject: 'Confirm your new e-mail address',
    headline: 'New e-mail address',
    opening: 'please confirm that you sign in with this e-mail address from now on.',
    button: 'Confirm e-mail address',
    safety: 'The link is valid for an hour and once. You did not ask for this? Then there is nothing you need to do.',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    headline: 'E-mail address changed',
    opening: 'you sign in with another e-mail address than this one from now on.',
    button: null,
    safety: 'This was not you? Please get in touch with an administrator at once.',
  },
  password_changed: {
    subject: 'Your password was changed',
    headline: 'Password changed',
    opening: 'the password of your account is new. You were signed out everywhere else.',
    button: null,
    safety: 'This was not you? Please get in touch with an administrator at once.',
  },
  second_factor_changed: {
    subject: 'Your sign-in was changed',
    headline: 'Sign-in changed',
    opening: 'a passkey or the second step of your sign-in was set up or removed, or that step has new recovery codes.',
    button: null,
    safety: 'This was not you? Please get in touch with an administrator at once.',
  },
  account_deleted: {
    subject: 'Your account was deleted',
    headline: 'Account deleted',
    opening: 'your account is deleted, with your name, this e-mail address and all that you signed in with.',
    button: null,
    safety: 'This was not you? Please get in touch with an administrator at once.',
  },
};

export const USER_MAIL_TEXTS: Readonly<Record<MailLanguage, typeof de>> = { de, en };
