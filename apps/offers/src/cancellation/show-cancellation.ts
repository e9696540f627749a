import { randomUUID } from 'node:crypto';
import { dayOf, isSupportedDay, isUuid, storableText } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { CANCELLATION_PATH } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type AskedPage, NO_SURROUNDINGS, pageLanguage, ReadSurroundings } from '../checkout-pages/surroundings.js';
import {
  type CancellationForm,
  cancellationPage,
  cancellationReceivedPage,
  confirmCancellationPage,
  noCancellationPage,
} from '../pages/cancellation-page.js';
import type { PageLook } from '../pages/layout.js';
import { DeclareCancellation } from './declare-cancellation.js';

interface Shown {
  readonly status: number;
  readonly page: string;
  readonly look?: PageLook;
}

/** The pages on which a contract is cancelled. */
@Injectable()
export class ShowCancellation {
  constructor(
    private readonly database: Database,
    private readonly surroundings: ReadSurroundings,
    private readonly declare: DeclareCancellation,
  ) {}

  async execute(asked: AskedPage): Promise<Shown> {
    const around = await this.around(asked);
    if (!around.exists) return { status: 404, page: noCancellationPage(around) };
    return { status: 200, look: around.look, page: cancellationPage(around, readForm(new URLSearchParams())) };
  }

  async submit(asked: AskedPage, sent: URLSearchParams): Promise<Shown> {
    const around = await this.around(asked);
    if (!around.exists) return { status: 404, page: noCancellationPage(around) };
    const { look } = around;
    const form = readForm(sent);
    const action = sent.get('action');
    if (action === 'change') return { status: 200, look, page: cancellationPage(around, form) };
    const today = dayOf(await this.database.now(asked.id), around.timeZone);
    if (!isComplete(form, today)) return { status: 422, look, page: cancellationPage(around, form, true) };
    if (action !== 'cancel') return { status: 200, look, page: confirmCancellationPage(around, form) };
    const { notice, timeZone } = await this.declare.execute(asked.id, {
      id: form.key,
      kind: form.kind,
      name: form.name,
      email: form.email,
      contract: form.contract,
      reason: form.reason === '' ? null : form.reason,
      wantedOn: form.wantedOn === '' ? null : form.wantedOn,
      language: around.language,
    });
    const receivedAt = new Intl.DateTimeFormat(around.language === 'de' ? 'de-DE' : 'en-GB', {
      dateStyle: 'long',
      timeStyle: 'long',
      timeZone,
    }).format(notice.receivedAt);
    return { status: 200, look, page: cancellationReceivedPage(around, form, receivedAt) };
  }

  private async around(asked: AskedPage) {
    const language = pageLanguage(asked, null);
    const found = isUuid(asked.id) ? await this.surroundings.execute(asked.id, null) : null;
    return {
      ...(found ?? NO_SURROUNDINGS),
      exists: found !== null,
      language,
      path: `${CANCELLATION_PATH}/${isUuid(asked.id) ? asked.id : ''}`,
    };
  }
}

function readForm(sent: URLSearchParams): CancellationForm {
  // One line that can be stored, whatever a browser sends.
  const value = (name: string, max = 255): string =>
    storableText((sent.get(name) ?? '').replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim(), max);
  const key = sent.get('key') ?? '';
  return {
    key: isUuid(key) ? key.toLowerCase() : randomUUID(),
    name: value('name'),
    email: value('email', 320),
    contract: value('contract'),
    kind: sent.get('kind') === 'extraordinary' ? 'extraordinary' : 'ordinary',
    reason: value('reason', 800),
    wantedOn: value('wantedOn', 10),
  };
}

const isComplete = ({ name, email, contract, kind, reason, wantedOn }: CancellationForm, today: string): boolean =>
  name !== '' &&
  /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(email) &&
  contract !== '' &&
  (kind === 'ordinary' || reason !== '') &&
  (wantedOn === '' || (isSupportedDay(wantedOn) && wantedOn >= today));
