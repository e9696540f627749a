import type { PageLanguage } from '@kontor/service-kit';

const de = {
  byCompany: 'Anmelden über Ihr Unternehmen',
  byCompanyLead: 'Sie melden sich dort an, wo Sie es auch sonst für die Arbeit tun.',
  at: (name: string) => `Anmelden bei ${name}`,
  nobody: 'Mit Adressen wie dieser meldet sich niemand über sein Unternehmen an.',
  unknown: 'Diese Anmeldung gibt es nicht mehr',
  unknownText: 'Sie ist abgelaufen, wurde schon beendet oder in einem anderen Browser begonnen.',
  failed: 'Die Anmeldung bei Ihrem Unternehmen hat nicht geklappt',
  failedText: 'Probieren Sie es noch einmal. Hilft das nicht, fragen Sie bitte jemanden, der sich dort darum kümmert.',
  refused: 'Sie können sich so nicht anmelden',
  refusedText: 'Dieses Konto gehört zu niemandem, der hier arbeitet. Lassen Sie sich bitte einladen.',
  missing: 'Es fehlt ein zweiter Faktor',
  missingText: 'Bei Ihrem Unternehmen oder für Ihr Konto muss eine Bestätigung in zwei Schritten eingerichtet sein.',
  again: 'Zur Anmeldung',
  signedInBy: (name: string) => `Sie sind über ${name} angemeldet.`,
  changedThere:
    'Womit Sie sich anmelden, ändern Sie bei Ihrem Unternehmen, oder nach einer Anmeldung mit Ihrem eigenen Passwort.',
};

export type CompanyTexts = typeof de;

const en: CompanyTexts = {
  byCompany: 'Sign in with your company',
  byCompanyLead: 'You sign in where you do so for your work anyway.',
  at: (name) => `Sign in with ${name}`,
  nobody: 'Nobody with an address like this signs in with their company.',
  unknown: 'This sign-in is no longer there',
  unknownText: 'It has expired, is over, or was begun in another browser.',
  failed: 'The sign-in with your company did not work',
  failedText: 'Please try again. If that does not help, ask somebody who looks after it there.',
  refused: 'You cannot sign in like this',
  refusedText: 'This account is of nobody who works here. Please have yourself invited.',
  missing: 'A second factor is missing',
  missingText: 'A sign-in in two steps must be set up with your company, or for your account.',
  again: 'To the sign-in',
  signedInBy: (name) => `You are signed in with ${name}.`,
  changedThere: 'What you sign in with is changed with your company, or after a sign-in with your own password.',
};

export const COMPANY_TEXTS: Readonly<Record<PageLanguage, CompanyTexts>> = { de, en };
