import type { PageLanguage } from './layout.js';

/** What the pages say on which contracts are cancelled. */
export interface CancellationTexts {
  readonly title: string;
  readonly lead: (seller: string) => string;
  readonly name: string;
  readonly email: string;
  readonly emailHint: string;
  readonly contract: string;
  readonly contractHint: string;
  readonly kind: string;
  readonly ordinary: string;
  readonly extraordinary: string;
  readonly reason: string;
  readonly wantedOn: string;
  readonly wantedHint: string;
  readonly optional: string;
  readonly goOn: string;
  readonly checkTitle: string;
  readonly checkLead: string;
  readonly cancelNow: string;
  readonly change: string;
  readonly earliest: string;
  readonly receivedTitle: string;
  readonly received: (at: string) => string;
  readonly receivedHint: (email: string) => string;
  readonly problem: string;
  readonly goneTitle: string;
  readonly goneText: string;
}

const de: CancellationTexts = {
  title: 'Verträge hier kündigen',
  lead: (seller) => `Kündigen Sie Ihren Vertrag mit ${seller}. Anmelden müssen Sie sich dafür nicht.`,
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  emailHint: 'An diese Adresse bestätigen wir den Eingang sofort.',
  contract: 'Vertrag',
  contractHint: 'Vertragsnummer (zum Beispiel S-10001) oder was Sie gebucht haben.',
  kind: 'Art der Kündigung',
  ordinary: 'Ordentliche Kündigung',
  extraordinary: 'Außerordentliche Kündigung aus wichtigem Grund',
  reason: 'Grund (nötig bei einer außerordentlichen Kündigung)',
  wantedOn: 'Zu welchem Tag',
  wantedHint: 'Ohne Angabe: zum nächstmöglichen Zeitpunkt.',
  optional: '(freiwillig)',
  goOn: 'Weiter',
  checkTitle: 'Bitte prüfen Sie Ihre Kündigung',
  checkLead: 'Mit dem Knopf erklären Sie die Kündigung.',
  cancelNow: 'Jetzt kündigen',
  change: 'Angaben ändern',
  earliest: 'zum nächstmöglichen Zeitpunkt',
  receivedTitle: 'Ihre Kündigung ist eingegangen',
  received: (at) => `Eingegangen am ${at}.`,
  receivedHint: (email) =>
    `Wir bestätigen den Inhalt und den Eingang an ${email}. Sie können diese Seite auch drucken oder speichern.`,
  problem: 'Bitte füllen Sie alle Felder aus, die nicht freiwillig sind; ein Tag darf nicht vergangen sein.',
  goneTitle: 'Hier gibt es nichts zu kündigen',
  goneText: 'Die Adresse stimmt nicht.',
};

const en: CancellationTexts = {
  title: 'Cancel contracts here',
  lead: (seller) => `Cancel your contract with ${seller}. You need not log in to do so.`,
  name: 'Your name',
  email: 'E-mail address',
  emailHint: 'We confirm to this address at once that your cancellation has arrived.',
  contract: 'Contract',
  contractHint: 'Its number (for example S-10001), or what you subscribed to.',
  kind: 'Kind of cancellation',
  ordinary: 'Ordinary cancellation',
  extraordinary: 'Extraordinary cancellation for good cause',
  reason: 'Reason (needed for an extraordinary cancellation)',
  wantedOn: 'To which day',
  wantedHint: 'Left empty: as early as possible.',
  optional: '(optional)',
  goOn: 'Continue',
  checkTitle: 'Please check your cancellation',
  checkLead: 'By the button you declare the cancellation.',
  cancelNow: 'Cancel now',
  change: 'Change the details',
  earliest: 'as early as possible',
  receivedTitle: 'We have received your cancellation',
  received: (at) => `Received on ${at}.`,
  receivedHint: (email) =>
    `We confirm what it says and when it arrived to ${email}. You can print or save this page, too.`,
  problem: 'Please fill in all fields that are not optional; a day must not be in the past.',
  goneTitle: 'There is nothing to cancel here',
  goneText: 'The address is not right.',
};

export const CANCELLATION_TEXTS: Readonly<Record<PageLanguage, CancellationTexts>> = { de, en };
