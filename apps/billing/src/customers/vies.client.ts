import { Injectable } from '@nestjs/common';
import { outboundAgent, ServiceConfig } from '@kontor/service-kit';
import { request } from 'undici';
import type { VatCheckOutcome } from '../domain/customers/vat-id.js';

const OFFICIAL = 'https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number';
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

interface ViesAnswer {
  valid?: boolean;
  /** `MS_UNAVAILABLE`, `TIMEOUT`, … when the member state did not answer: the id is neither valid nor invalid then. */
  userError?: string;
  errorWrappers?: unknown[];
}

/**
 * The Commission's VAT id service (or whatever `VIES_URL` names with the same contract). Never called inside a
 * transaction.
 * @see https://ec.europa.eu/taxation_customs/vies/ REST API "check-vat-number"
 */
@Injectable()
export class ViesClient {
  private readonly url: string;
  private readonly agent = outboundAgent();

  constructor(config: ServiceConfig) {
    this.url = config.viesUrl ?? OFFICIAL;
  }

  /** The result of VIES for a well-formed id; `unavailable` for everything but a clear answer. */
  async check(vatId: string): Promise<VatCheckOutcome> {
    try {
      const { statusCode, body } = await request(this.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2) }),
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        dispatcher: this.agent,
      });
      const text = await body.text();
      if (statusCode !== 200 || text.length > MAX_ANSWER_BYTES) return 'unavailable';
      return outcomeOf(JSON.parse(text) as ViesAnswer);
    } catch {
      return 'unavailable';
    }
  }
}

export function outcomeOf(answer: ViesAnswer): VatCheckOutcome {
  if (answer.valid === true) return 'valid';
  const isVerdict = answer.userError === undefined || answer.userError === 'INVALID' || answer.userError === 'VALID';
  return answer.valid === false && isVerdict && answer.errorWrappers === undefined ? 'invalid' : 'unavailable';
}
