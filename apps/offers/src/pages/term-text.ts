import type { SaleTerm } from '@kontor/contracts';
import type { PageLanguage } from './layout.js';

const UNITS = {
  de: { D: ['Tag', 'Tage'], M: ['Monat', 'Monate'], Y: ['Jahr', 'Jahre'] },
  en: { D: ['day', 'days'], M: ['month', 'months'], Y: ['year', 'years'] },
} as const;

const WORDS = {
  de: {
    term: (first: string, again: string) =>
      `Mindestlaufzeit: ${first}. Danach verlängert sich der Vertrag um jeweils ${again}.`,
    notice: (period: string) => `Kündigungsfrist: ${period} zum Ende der Laufzeit.`,
    noticeOfPeriod: (period: string) => `Kündigungsfrist: ${period} zum Ende des Abrechnungszeitraums.`,
    noNotice: 'Kündbar zum Ende der Laufzeit.',
  },
  en: {
    term: (first: string, again: string) => `Minimum term: ${first}. It is then renewed for ${again} at a time.`,
    notice: (period: string) => `Notice period: ${period} before the end of the term.`,
    noticeOfPeriod: (period: string) => `Notice period: ${period} before the end of the billing period.`,
    noNotice: 'It can be cancelled until the end of the term.',
  },
} as const;

/** How long the contract binds who agrees to it. @see § 312j (2) BGB, Art. 246a § 1 (1) EGBGB */
export function termText(term: SaleTerm | null | undefined, language: PageLanguage): string | null {
  if (!term) return null;
  const words = WORDS[language];
  const { contractPeriodCount, contractPeriod, cancellationPeriod } = term;
  const notice = cancellationPeriod && durationText(cancellationPeriod, 1, language);
  if (contractPeriod === null) return notice && words.noticeOfPeriod(notice);
  const [first, again] = [contractPeriodCount, 1].map((times) => durationText(contractPeriod, times, language));
  return `${words.term(first!, again!)} ${notice ? words.notice(notice) : words.noNotice}`;
}

/** `12M` → 12 months. */
function durationText(interval: string, times: number, language: PageLanguage): string {
  const [, count = '', unit] = /^(\d+)([DMY])$/.exec(interval) ?? [];
  if (!unit) return interval;
  const all = Number(count) * times;
  return `${all} ${UNITS[language][unit as 'D' | 'M' | 'Y'][all === 1 ? 0 : 1]}`;
}
